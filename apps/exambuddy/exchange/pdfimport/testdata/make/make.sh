#!/bin/sh
# Writes the PDF documents of testdata. Needs Chromium, Go and the fonts DejaVu and Liberation.
set -e
cd "$(dirname "$0")"
for page in columns table lines; do
	chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="../chromium-$page.pdf" "file://$PWD/$page.html"
done
module=$(mktemp -d)
cp main.go picture.go "$module"
here=$PWD
cd "$module"
go mod init make
go get codeberg.org/go-pdf/fpdf@v0.12.0 github.com/pdfcpu/pdfcpu@v0.15.0 github.com/signintech/gopdf@v0.33.0
go mod tidy
go build -o make .
cd "$here/.." && "$module/make"
