package io.hawser.ops.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Logging of the hawser command: to standard error, one line each with its keys; a stack trace only with
 * {@code HAWSER_DEBUG=1} or where the code is at fault. Done in code, since reading XML costs a short command more time
 * than its work. {@code -Dlogback.configurationFile=FILE} in {@code HAWSER_JAVA_OPTS} takes its place.
 *
 * <p>Thread: main only, before the first logger.
 */
final class LogSetup {
    /** What ends a line, or would speak to a terminal. */
    private static final String CONTROL = "[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]";

    private static final String CONFIGURATION = "logback.configurationFile";

    private static final String LINE =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level %logger{0} " + printable("%msg %kvp");

    private static final String CONSOLE = "console";

    private LogSetup() {}

    /** Writes the log in that format from now on; it was text before. */
    static void use(LogFormat format) {
        if (System.getProperty(CONFIGURATION) == null
                && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            use(context, format, Hawser.isDebug());
        }
    }

    static void use(LoggerContext context, LogFormat format, boolean debug) {
        if (format == LogFormat.JSON
                && context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE)
                        instanceof ConsoleAppender<ILoggingEvent> console) {
            JsonLogEncoder encoder = new JsonLogEncoder(debug);
            encoder.setContext(context);
            encoder.start();
            console.setEncoder(encoder);
        }
    }

    /** A node logs for operators; other commands log errors only. */
    private static final Set<String> NODES = Set.of("broker", "agent-a", "agent-b", "up");

    /** How a line of the log is made. What peers and clients say ends no line and reaches no terminal. */
    static String pattern(boolean debug) {
        return LINE + (debug ? "%n" : printable("%replace(%ex{1}){'\\s*\\R\\s*', ' '}") + "%nopex%n");
    }

    private static String printable(String part) {
        return "%replace(" + part + "){'" + CONTROL + "', '?'}";
    }

    static void apply(String command, @Nullable String level, boolean debug) {
        if (System.getProperty(CONFIGURATION) != null) {
            return;
        }
        // Without this Logback looks through the class path for a configuration file first.
        System.setProperty("logback.statusListenerClass", "ch.qos.logback.core.status.NopStatusListener");
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            apply(context, command, level, debug);
        }
    }

    static void apply(LoggerContext context, String command, @Nullable String level, boolean debug) {
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern(debug));
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setName(CONSOLE);
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level usual = NODES.contains(command) ? Level.INFO : Level.ERROR;
        root.setLevel(Level.toLevel(level, usual));
        root.addAppender(appender);
        // Netty says at debug what it found on this machine; at info nothing of interest.
        context.getLogger("io.netty").setLevel(debug ? Level.DEBUG : Level.WARN);
        // A machine without a network, or a container, is nothing to warn of: the address is one of several sources of
        // a number.
        context.getLogger("io.netty.util.internal.MacAddressUtil").setLevel(debug ? Level.DEBUG : Level.ERROR);
        // MINA warns of each client that leaves without a farewell; what matters of clients is logged by agent-a.
        context.getLogger("org.apache.sshd").setLevel(debug ? Level.INFO : Level.ERROR);
        // Kafka's clients list all their settings at info.
        context.getLogger("org.apache.kafka").setLevel(debug ? Level.INFO : Level.ERROR);
    }
}
