# One image for all nodes: the hawser command and the parts of Java that it needs, on a small Debian.
#
#   docker build -t hawser .
#
# BASE is a Debian 12 of 2026-08-04, by the digest of its index for all platforms, as github.com/docker-library/repo-info lists it
# (repos/debian/remote/bookworm-slim.md). A newer one:
#
#   docker pull debian:bookworm-slim
#   docker build -t hawser --build-arg BASE="$(docker inspect --format '{{index .RepoDigests 0}}' debian:bookworm-slim)" .
#
# Where no registry can be reached, release/containers/try makes a base with debootstrap.
ARG BASE=debian:bookworm-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates openjdk-17-jdk-headless maven \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN mvn -B -q -DskipTests -Dquick -pl release -am package \
    && mkdir -p /opt/hawser/bin /opt/hawser/lib \
    && cp release/target/lib/*.jar release/target/hawser-release-*.jar /opt/hawser/lib/ \
    && cp hawser release/containers/health /opt/hawser/bin/
# What jdeps finds in the jars, and what is found by name: elliptic curves for TLS, DNS, jcmd. The CAs are Debian's.
RUN jlink --output /opt/java --compress=2 --no-header-files --no-man-pages \
        --add-modules java.compiler,java.desktop,java.instrument,java.logging,java.management,java.naming,java.scripting,java.security.jgss \
        --add-modules java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported \
    && cp --remove-destination -L /etc/ssl/certs/java/cacerts /opt/java/lib/security/cacerts \
    && /opt/java/bin/java -Xshare:dump

FROM ${BASE}
RUN useradd --uid 7400 --create-home hawser \
    && mkdir -m 0700 -p /data /delivered /ca /keys /keys/broker /keys/broker-1 /keys/broker-2 /keys/agent-a /keys/agent-b \
    && chown -R hawser:hawser /data /delivered /ca /keys
COPY --from=build /opt/java /opt/java
COPY --from=build /opt/hawser /opt/hawser
ENV PATH=/opt/hawser/bin:/opt/java/bin:/usr/local/bin:/usr/bin:/bin
USER hawser
WORKDIR /data
# 7400 PTCP, 2121 FTP and its data ports; the admin pages stay inside the container.
EXPOSE 7400 2121 21100-21109
STOPSIGNAL SIGTERM
ENTRYPOINT ["hawser"]
CMD ["--help"]
