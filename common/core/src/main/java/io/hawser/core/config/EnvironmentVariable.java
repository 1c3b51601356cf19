package io.hawser.core.config;

/** An environment variable of Hawser that is not the key of a command. The reference page is made from these. */
public enum EnvironmentVariable {
    HAWSER_CONFIG("the file of `--config`"),
    HAWSER_LOG("least level of the log: `trace`, `debug`, `info`, `warn`, `error` or `off`"),
    HAWSER_DEBUG("`1`: stack traces with errors"),
    HAWSER_JAVA_OPTS("JVM options, after the launcher's own, so that they win"),
    HAWSER_LIB("the directory of jars that the launcher uses instead of its own"),
    HAWSER_HOME("set by the launcher: where it is installed"),
    HAWSER_INTO_PASSWORD("agent-b's password for the server of `--into`, instead of `--into-password-file`"),
    HAWSER_SERVE_PASSWORD("agent-b's password for the server of `--serve`, instead of `--serve-password-file`"),
    HAWSER_DRILL_PASSWORD("the FTP password of `hawser drill`"),
    HAWSER_BASE("`docker-compose.yml`: the base image"),
    HAWSER_LOCAL_BROKERS("`docker-compose.yml`: how many brokers with a store of their own"),
    HAWSER_TRY_DIR("`release/containers/try`: its working directory");

    private final String sentence;

    EnvironmentVariable(String sentence) {
        this.sentence = sentence;
    }

    /** What it holds or does, in Markdown. */
    public String sentence() {
        return sentence;
    }
}
