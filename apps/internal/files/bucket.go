package files

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

// A bucket is a store in a bucket of an S3-compatible service.
type bucket struct {
	*requester
	options Options
	base    *url.URL // of the bucket
	prefix  string   // of all keys; "" or ends with a slash
}

// bucketTimeout is the maximum duration of a request.
const bucketTimeout = 5 * time.Minute

// openBucket reads a setting such as s3://bucket/prefix?region=eu-north-1.
func openBucket(u *url.URL, options Options) (*bucket, error) {
	if options.Credentials == nil {
		return nil, errors.New("files: a bucket needs credentials")
	}
	query := u.Query()
	region, prefix := query.Get("region"), strings.Trim(u.Path, "/")
	base := &url.URL{Scheme: "https", Host: u.Host + ".s3." + region + ".amazonaws.com", Path: "/"}
	if endpoint := query.Get("endpoint"); endpoint != "" {
		e, err := url.Parse(endpoint)
		if err != nil {
			return nil, fmt.Errorf("files: the endpoint %q is not a URL", endpoint)
		}
		base = e.JoinPath(u.Host, "/")
	}
	if prefix != "" {
		prefix += "/"
	}
	return &bucket{requester: newRequester(region, options), options: options, base: base, prefix: prefix}, nil
}

// checkBucket reports whether a URL names a bucket.
func checkBucket(u *url.URL) error {
	query := u.Query()
	if u.Host == "" || query.Get("region") == "" {
		return errors.New("files: a bucket is written s3://bucket/prefix?region=REGION")
	}
	if endpoint := query.Get("endpoint"); endpoint != "" {
		e, err := url.Parse(endpoint)
		if err != nil || e.Scheme != "http" && e.Scheme != "https" || e.Host == "" {
			return fmt.Errorf("files: the endpoint %q is not a URL", endpoint)
		}
	}
	return checkPrefix(strings.Trim(u.Path, "/"))
}

// url returns the URL of an object.
func (b *bucket) url(key string) *url.URL { return b.base.JoinPath(b.prefix + key) }

// Put uploads an object in one request. The service stores it as a whole or not at all.
func (b *bucket) Put(ctx context.Context, key, contentType string, r io.Reader, size int64) (Info, error) {
	if err := cmp.Or(checkKey(key), b.options.checkSize(size)); err != nil {
		return Info{}, err
	}
	kind, content, err := sniff(exactly(r, size), contentType)
	if err != nil {
		return Info{}, fmt.Errorf("files: read the content: %w", err)
	}
	header := http.Header{"Content-Type": {kind}}
	response, err := b.send(ctx, call{method: http.MethodPut, url: b.url(key), header: header, body: content, size: size})
	if err != nil {
		return Info{}, fmt.Errorf("files: store %s: %w", key, err)
	}
	_ = response.Body.Close()
	info := infoOf(key, response.Header)
	info.Type, info.Size = kind, size
	if info.Modified.IsZero() {
		info.Modified = b.now().UTC()
	}
	return info, nil
}

// Get asks for the description of an object. Its content is read when it is needed.
func (b *bucket) Get(ctx context.Context, key string) (*Object, error) {
	if checkKey(key) != nil {
		return nil, ErrNotFound
	}
	response, err := b.send(ctx, call{method: http.MethodHead, url: b.url(key)})
	switch {
	case isStatus(err, http.StatusNotFound):
		return nil, ErrNotFound
	case err != nil:
		return nil, fmt.Errorf("files: open %s: %w", key, err)
	}
	_ = response.Body.Close()
	info := infoOf(key, response.Header)
	info.Size = response.ContentLength
	return &Object{Info: info, ReadSeekCloser: &download{ctx: ctx, bucket: b, info: info}}, nil
}

// infoOf reads the description of an object from the headers of a response.
func infoOf(key string, header http.Header) Info {
	modified, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil {
		modified = time.Time{}
	}
	return Info{Key: key, Type: header.Get("Content-Type"), ETag: strings.Trim(header.Get("ETag"), `"`), Modified: modified.UTC()}
}

// A download reads the content of an object from where it was sought to.
type download struct {
	ctx    context.Context // of Get: the reader belongs to that call
	bucket *bucket
	info   Info
	at     int64
	body   io.ReadCloser // nil before the first Read and after a Seek
}

func (d *download) Read(p []byte) (int, error) {
	if d.at >= d.info.Size {
		return 0, io.EOF
	}
	if d.body == nil {
		header := http.Header{"Range": {"bytes=" + strconv.FormatInt(d.at, 10) + "-"}}
		if d.info.ETag != "" {
			header.Set("If-Match", `"`+d.info.ETag+`"`) // no mixture of two objects
		}
		response, err := d.bucket.send(d.ctx, call{method: http.MethodGet, url: d.bucket.url(d.info.Key), header: header})
		if err != nil {
			return 0, fmt.Errorf("files: read %s: %w", d.info.Key, err)
		}
		d.body = response.Body
	}
	n, err := d.body.Read(p)
	d.at += int64(n)
	if err == io.EOF && d.at < d.info.Size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (d *download) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += d.at
	case io.SeekEnd:
		offset += d.info.Size
	}
	if offset < 0 {
		return 0, errors.New("files: seek before the start")
	}
	if offset != d.at {
		if err := d.Close(); err != nil {
			return 0, err
		}
		d.at = offset
	}
	return offset, nil
}

func (d *download) Close() error {
	if d.body == nil {
		return nil
	}
	body := d.body
	d.body = nil
	return body.Close()
}

// Delete deletes an object.
func (b *bucket) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	response, err := b.send(ctx, call{method: http.MethodDelete, url: b.url(key)})
	if isStatus(err, http.StatusNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("files: delete %s: %w", key, err)
	}
	return response.Body.Close()
}

// listResult is the answer to ListObjectsV2.
type listResult struct {
	Contents []struct {
		Key          string
		Size         int64
		ETag         string
		LastModified time.Time
	}
	IsTruncated           bool
	NextContinuationToken string
}

// List asks for the objects with a prefix, page by page.
func (b *bucket) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Info{}, err)
			return
		}
		for token := ""; ; {
			page, err := b.page(ctx, prefix, token)
			if err != nil {
				yield(Info{}, fmt.Errorf("files: list %s: %w", prefix, err))
				return
			}
			for _, o := range page.Contents {
				info := Info{Key: strings.TrimPrefix(o.Key, b.prefix), Size: o.Size, ETag: strings.Trim(o.ETag, `"`), Modified: o.LastModified.UTC()}
				if !yield(info, nil) {
					return
				}
			}
			if token = page.NextContinuationToken; !page.IsTruncated || token == "" {
				return
			}
		}
	}
}

func (b *bucket) page(ctx context.Context, prefix, token string) (page listResult, err error) {
	query := url.Values{"list-type": {"2"}, "prefix": {b.prefix + prefix}}
	if token != "" {
		query.Set("continuation-token", token)
	}
	u := *b.base
	u.RawQuery = encodeQuery(query)
	response, err := b.send(ctx, call{method: http.MethodGet, url: &u})
	if err != nil {
		return page, err
	}
	defer response.Body.Close()
	err = xml.NewDecoder(io.LimitReader(response.Body, 16<<20)).Decode(&page)
	return page, err
}

// encodeQuery encodes a query as signatures need it: a space is %20.
func encodeQuery(query url.Values) string { return strings.ReplaceAll(query.Encode(), "+", "%20") }

// defaultValid is the time for which a download URL is valid.
const defaultValid = 15 * time.Minute

// URL signs a URL for the download of an object. The browser saves it under its name.
func (b *bucket) URL(ctx context.Context, key string, d Download) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	name := cmp.Or(d.Name, path.Base(key))
	u := b.url(key)
	u.RawQuery = encodeQuery(url.Values{
		"X-Amz-Expires":                {strconv.Itoa(int(cmp.Or(d.Valid, defaultValid) / time.Second))},
		"response-content-disposition": {Disposition("attachment", name)},
	})
	return b.presign(ctx, u)
}

// Disposition returns a Content-Disposition with a file name, which may have any characters.
func Disposition(kind, name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '/' || r == '\\' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	return mime.FormatMediaType(kind, map[string]string{"filename": cmp.Or(name, "file")})
}
