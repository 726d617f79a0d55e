# The image of a release: the static binary that scripts/release has built, and nothing else.
#
#   scripts/release v1.0.0 && docker build --build-arg TARGETARCH=amd64 -t sortkey .
#   docker run -p 8000:8000 -v sortkey:/data sortkey
FROM gcr.io/distroless/static-debian12:nonroot
ARG TARGETARCH
COPY dist/sortkey-linux-${TARGETARCH} /sortkey
USER nonroot
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s CMD ["/sortkey", "health", "http://127.0.0.1:8000"]
ENTRYPOINT ["/sortkey"]
CMD ["serve", "--addr", "0.0.0.0:8000", "--data", "/data"]
