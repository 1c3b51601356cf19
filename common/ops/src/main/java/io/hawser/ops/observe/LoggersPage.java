package io.hawser.ops.observe;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * The levels of a node's loggers: {@code GET /loggers?name=NAME} shows those below a name, or those that have a level of their own; {@code POST
 * /loggers?name=NAME&level=LEVEL} sets one until the node ends. A logger has to exist, so that no caller can make them.
 *
 * <p>Thread: the admin thread.
 */
public final class LoggersPage {
    /** What takes a logger's own level away. */
    private static final String INHERIT = "inherit";

    private static final Set<String> LEVELS = Set.of("trace", "debug", "info", "warn", "error", "off", INHERIT);
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LoggersPage.class);

    private final LoggerContext context;

    LoggersPage(LoggerContext context) {
        this.context = context;
    }

    /** Of this process. */
    public static LoggersPage ofProcess() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            return new LoggersPage(context);
        }
        throw new IllegalStateException("a node logs by Logback");
    }

    /** What GET shows. */
    public AdminPage show() {
        return AdminPage.json(query -> loggers(query.getOrDefault("name", "")));
    }

    /** What POST does. */
    public AdminPage change() {
        return AdminPage.json(this::set);
    }

    private List<LoggerLine> loggers(String name) {
        return context.getLoggerList().stream()
                .filter(each -> name.isEmpty()
                        ? each.getLevel() != null
                        : each.getName().equals(name) || each.getName().startsWith(name + "."))
                .map(LoggersPage::line)
                .toList();
    }

    private List<LoggerLine> set(Map<String, String> query) {
        String name = query.getOrDefault("name", "");
        String level = query.getOrDefault("level", "").toLowerCase(Locale.ROOT);
        if (!LEVELS.contains(level)) {
            throw new IllegalArgumentException(
                    "level is one of trace, debug, info, warn, error, off and " + INHERIT + ", not '" + level + "'");
        }
        Logger logger = context.exists(name);
        if (logger == null) {
            throw new IllegalArgumentException("there is no logger '" + name
                    + "'; a name is ROOT, a package such as io.hawser.broker, or a class in full");
        }
        boolean inherits = level.equals(INHERIT);
        if (inherits && logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
            throw new IllegalArgumentException("ROOT has nothing to inherit a level from");
        }
        logger.setLevel(inherits ? null : Level.toLevel(level));
        LOG.atInfo().addKeyValue("logger", name).addKeyValue("level", level).log("the level of a logger was changed");
        return List.of(line(logger));
    }

    private static LoggerLine line(Logger logger) {
        Level own = logger.getLevel();
        return new LoggerLine(logger.getName(), own == null ? "" : word(own), word(logger.getEffectiveLevel()));
    }

    private static String word(Level level) {
        return level.toString().toLowerCase(Locale.ROOT);
    }
}
