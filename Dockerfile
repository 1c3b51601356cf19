# One image for all nodes: the hawser command on a small Debian.
#
#   docker build -t hawser .
#
# BASE is a Debian 12; where no registry can be reached, containers/try makes one with debootstrap.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates openjdk-17-jdk-headless maven \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN mvn -B -q -DskipTests -Dquick -pl integration-tests -am package \
    && mkdir -p /opt/hawser/lib \
    && cp integration-tests/target/lib/*.jar integration-tests/target/integration-tests-*.jar /opt/hawser/lib/ \
    && cp hawser /opt/hawser/

FROM ${BASE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates openjdk-17-jre-headless curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 7400 --create-home hawser \
    && mkdir -m 0700 -p /data /delivered /ca /keys /keys/broker /keys/agent-a /keys/agent-b \
    && chown -R hawser:hawser /data /delivered /ca /keys
COPY --from=build /opt/hawser /opt/hawser
RUN ln -s /opt/hawser/hawser /usr/local/bin/hawser
USER hawser
WORKDIR /data
# 7400 PTCP, 2121 FTP and its data ports; the admin pages stay inside the container.
EXPOSE 7400 2121 21100-21109
STOPSIGNAL SIGTERM
ENTRYPOINT ["hawser"]
CMD ["--help"]
