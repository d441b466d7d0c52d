# Checks that a webhook request comes from Homeport. Needs nothing but Ruby.
#
#   SERVICE_SIGNATURE='t=…,v1=…' WEBHOOK_SECRET='whsec_…' ruby verify.rb < body.json
#
# In a server (Sinatra here; the others differ only in how they give the raw body):
#
#   require_relative "verify"
#
#   post "/hooks/homeport" do
#     body = request.body.read # The bytes as they came, before any JSON parser.
#     header = request.env["HTTP_SERVICE_SIGNATURE"].to_s
#     reason = refusal(header, body, ENV.fetch("WEBHOOK_SECRET"), Time.now.to_i)
#     halt 400, reason if reason
#     handle(JSON.parse(body)) # Handle each event id once.
#     204
#   end
require "openssl"

TOLERANCE_SECONDS = 300

# Returns nil for a genuine request, otherwise the reason to refuse it.
def refusal(header, body, secret, now)
  timestamp = ""
  signatures = []
  header.split(",").each do |part|
    name, value = part.split("=", 2)
    timestamp = value.to_s if name == "t"
    signatures << value.to_s if name == "v1"
  end
  return "the signature header is malformed" if !timestamp.match?(/\A[0-9]{1,12}\z/) || signatures.empty?
  return "the signature is too old or too new" if (now - timestamp.to_i).abs > TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.".b + body.b)
  return "no signature matches" if signatures.none? { |one| same?(one, expected) }

  nil
end

def same?(left, right)
  left.bytesize == right.bytesize && OpenSSL.fixed_length_secure_compare(left, right)
end

if __FILE__ == $PROGRAM_NAME
  now = ENV["NOW"].to_s.empty? ? Time.now.to_i : ENV["NOW"].to_i
  reason = refusal(ENV["SERVICE_SIGNATURE"].to_s, $stdin.binmode.read, ENV["WEBHOOK_SECRET"].to_s, now)
  puts reason || "ok"
  exit(reason ? 1 : 0)
end
