<?php
// Checks that a webhook request comes from Homeport. Needs nothing but PHP 8.
//
//   SERVICE_SIGNATURE='t=…,v1=…' WEBHOOK_SECRET='whsec_…' php verify.php < body.json
//
// In a server:
//
//   require 'verify.php';
//
//   $body = file_get_contents('php://input'); // The bytes as they came.
//   $header = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '';
//   $reason = refusal($header, $body, getenv('WEBHOOK_SECRET'), time());
//   if ($reason !== null) {
//       http_response_code(400);
//       exit($reason);
//   }
//   handle(json_decode($body, true)); // Handle each event id once.
//   http_response_code(204);

const TOLERANCE_SECONDS = 300;

/** Returns null for a genuine request, otherwise the reason to refuse it. */
function refusal(string $header, string $body, string $secret, int $now): ?string
{
    $time = '';
    $signatures = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = array_pad(explode('=', $part, 2), 2, '');
        if ($name === 't') {
            $time = $value;
        }
        if ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (!preg_match('/^[0-9]{1,12}\z/', $time) || $signatures === []) {
        return 'the signature header is malformed';
    }
    if (abs($now - (int) $time) > TOLERANCE_SECONDS) {
        return 'the signature is too old or too new';
    }
    $expected = hash_hmac('sha256', $time . '.' . $body, $secret);
    foreach ($signatures as $one) {
        if (hash_equals($expected, $one)) {
            return null;
        }
    }
    return 'no signature matches';
}

if (PHP_SAPI === 'cli' && realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $reason = refusal(
        getenv('SERVICE_SIGNATURE') ?: '',
        file_get_contents('php://stdin'),
        getenv('WEBHOOK_SECRET') ?: '',
        (int) (getenv('NOW') ?: time()),
    );
    echo $reason ?? 'ok', "\n";
    exit($reason === null ? 0 : 1);
}
