// Checks that a webhook request comes from Homeport. Needs nothing but Go.
//
//	SERVICE_SIGNATURE='t=…,v1=…' WEBHOOK_SECRET='whsec_…' go run verify.go < body.json
//
// In a server:
//
//	http.HandleFunc("/hooks/homeport", func(w http.ResponseWriter, r *http.Request) {
//		body, err := io.ReadAll(r.Body) // The bytes as they came.
//		if err != nil {
//			return
//		}
//		header := r.Header.Get("Service-Signature")
//		reason := refusal(header, body, os.Getenv("WEBHOOK_SECRET"), time.Now().Unix())
//		if reason != "" {
//			http.Error(w, reason, http.StatusBadRequest)
//			return
//		}
//		handle(body) // Handle each event id once.
//		w.WriteHeader(http.StatusNoContent)
//	})
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

var unixSeconds = regexp.MustCompile(`^[0-9]{1,12}$`)

// refusal returns "" for a genuine request, otherwise the reason to refuse it.
func refusal(header string, body []byte, secret string, now int64) string {
	timestamp := ""
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			timestamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	if !unixSeconds.MatchString(timestamp) || len(signatures) == 0 {
		return "the signature header is malformed"
	}
	signedAt, _ := strconv.ParseInt(timestamp, 10, 64)
	if now-signedAt > toleranceSeconds || signedAt-now > toleranceSeconds {
		return "the signature is too old or too new"
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	for _, one := range signatures {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return ""
		}
	}
	return "no signature matches"
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Println("the body cannot be read")
		os.Exit(1)
	}
	now, err := strconv.ParseInt(os.Getenv("NOW"), 10, 64)
	if err != nil {
		now = time.Now().Unix()
	}
	reason := refusal(os.Getenv("SERVICE_SIGNATURE"), body, os.Getenv("WEBHOOK_SECRET"), now)
	if reason != "" {
		fmt.Println(reason)
		os.Exit(1)
	}
	fmt.Println("ok")
}
