package files_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	accessKey = "AKIDEXAMPLE"
	secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	region    = "eu-north-1"
	bucket    = "pictures"
)

// An s3 is a small S3: it answers the operations of a bucket and checks every signature by its
// own implementation of the specification.
type s3 struct {
	*httptest.Server
	t        *testing.T
	mu       sync.Mutex
	objects  map[string]s3Object
	pageSize int
	fail     []int // statuses of the next answers
	requests []string
}

type s3Object struct {
	body     []byte
	kind     string
	modified time.Time
}

func newS3(t *testing.T) *s3 {
	t.Helper()
	s := &s3{t: t, objects: map[string]s3Object{}, pageSize: 2}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *s3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method)
	body, err := io.ReadAll(r.Body)
	if err != nil { // the client gave up: a real service discards the object
		return
	}
	if err := checkSignature(r, body); err != nil {
		s.t.Errorf("%s %s: %v", r.Method, r.URL, err)
		s.refuse(w, http.StatusForbidden, "SignatureDoesNotMatch")
		return
	}
	if len(s.fail) > 0 {
		status := s.fail[0]
		s.fail = s.fail[1:]
		s.refuse(w, status, "SlowDown")
		return
	}
	key, ok := strings.CutPrefix(r.URL.Path, "/"+bucket+"/")
	if !ok {
		s.refuse(w, http.StatusNotFound, "NoSuchBucket")
		return
	}
	switch {
	case r.Method == http.MethodGet && key == "" && r.URL.Query().Get("list-type") == "2":
		s.list(w, r.URL.Query())
	case r.Method == http.MethodPut:
		s.objects[key] = s3Object{body, r.Header.Get("Content-Type"), time.Now().Truncate(time.Second)}
		w.Header().Set("ETag", s.objects[key].etag())
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		s.get(w, r, key)
	}
}

func (o s3Object) etag() string { return fmt.Sprintf(`"%x"`, md5.Sum(o.body)) }

func (s *s3) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>No.</Message></Error>", code)
}

func (s *s3) get(w http.ResponseWriter, r *http.Request, key string) {
	o, ok := s.objects[key]
	if !ok {
		s.refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	w.Header().Set("ETag", o.etag())
	w.Header().Set("Content-Type", o.kind)
	if d := r.URL.Query().Get("response-content-disposition"); d != "" {
		w.Header().Set("Content-Disposition", d)
	}
	http.ServeContent(w, r, "", o.modified, bytes.NewReader(o.body))
}

func (s *s3) list(w http.ResponseWriter, query url.Values) {
	type content struct {
		Key, ETag    string
		Size         int
		LastModified string
	}
	var result struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		Contents              []content
		NextContinuationToken string `xml:",omitempty"`
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if !strings.HasPrefix(key, query.Get("prefix")) || key <= query.Get("continuation-token") {
			continue
		}
		if len(result.Contents) == s.pageSize {
			result.IsTruncated = true
			result.NextContinuationToken = result.Contents[len(result.Contents)-1].Key
			break
		}
		o := s.objects[key]
		result.Contents = append(result.Contents, content{key, o.etag(), len(o.body), o.modified.UTC().Format("2006-01-02T15:04:05.000Z")})
	}
	_ = xml.NewEncoder(w).Encode(result)
}

// checkSignature verifies a request by Signature Version 4, in the header or in the query.
func checkSignature(r *http.Request, body []byte) error {
	query := r.URL.Query()
	signed := map[string]string{}
	stamp, hash, signature := r.Header.Get("X-Amz-Date"), r.Header.Get("X-Amz-Content-Sha256"), ""
	if query.Has("X-Amz-Signature") {
		signed["Credential"], signed["SignedHeaders"] = query.Get("X-Amz-Credential"), query.Get("X-Amz-SignedHeaders")
		stamp, hash, signature = query.Get("X-Amz-Date"), "UNSIGNED-PAYLOAD", query.Get("X-Amz-Signature")
		query.Del("X-Amz-Signature")
		at, err := time.Parse("20060102T150405Z", stamp)
		seconds, _ := strconv.Atoi(query.Get("X-Amz-Expires"))
		if err != nil || time.Now().After(at.Add(time.Duration(seconds)*time.Second)) {
			return fmt.Errorf("expired: signed at %s for %d seconds", stamp, seconds)
		}
	} else {
		rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
		if !ok {
			return fmt.Errorf("no signature")
		}
		for part := range strings.SplitSeq(rest, ", ") {
			name, value, _ := strings.Cut(part, "=")
			signed[name] = value
		}
		signature = signed["Signature"]
	}
	if sum := sha256.Sum256(body); hash != "UNSIGNED-PAYLOAD" && hash != hex.EncodeToString(sum[:]) {
		return fmt.Errorf("the hash of the body is %s", hash)
	}
	scope := stamp[:8] + "/" + region + "/s3/aws4_request"
	if signed["Credential"] != accessKey+"/"+scope {
		return fmt.Errorf("the credential is %q", signed["Credential"])
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(signed["SignedHeaders"], ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = strconv.FormatInt(r.ContentLength, 10)
		}
		fmt.Fprintf(&headers, "%s:%s\n", name, strings.TrimSpace(value))
	}
	canonical := strings.Join([]string{
		r.Method, r.URL.EscapedPath(), strings.ReplaceAll(query.Encode(), "+", "%20"), headers.String(), signed["SignedHeaders"], hash,
	}, "\n")
	sum := sha256.Sum256([]byte(canonical))
	key := []byte("AWS4" + secretKey)
	for _, part := range []string{stamp[:8], region, "s3", "aws4_request"} {
		key = hmacOf(key, part)
	}
	want := hex.EncodeToString(hmacOf(key, "AWS4-HMAC-SHA256\n"+stamp+"\n"+scope+"\n"+hex.EncodeToString(sum[:])))
	if want != signature {
		return fmt.Errorf("the signature is %s, want %s of\n%s", signature, want, canonical)
	}
	return nil
}

func hmacOf(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
