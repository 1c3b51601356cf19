package io.hawser.ops.observe;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.audit.Audit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the audit log: one JSON object a line, ASCII only, so that no text of a client can begin a line or control a terminal. Only its owner can
 * read the file. It is rotated each day and after 64 MiB; files of 90 days are kept, up to 2 GiB.
 *
 * <p>A thread of its own writes the lines. It drops none, so a disk that is too slow finally slows the node down.
 *
 * <p>Thread: any.
 */
public final class AuditLog implements Audit {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final int QUEUE_LINES = 8192;
    private static final int MAX_FIELD_LENGTH = 1024;

    private final String node;
    private final LoggerContext context = new LoggerContext();
    private final Logger lines;

    private AuditLog(Path file, String node) {
        this.node = node;
        context.setMDCAdapter(new LogbackMDCAdapter()); // AsyncAppender needs one
        PrivateAppender appender = new PrivateAppender();
        appender.setContext(context);
        appender.setFile(file.toString());
        SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
        policy.setContext(context);
        policy.setParent(appender);
        policy.setFileNamePattern(file + ".%d{yyyy-MM-dd}.%i");
        policy.setMaxFileSize(FileSize.valueOf("64MB"));
        policy.setMaxHistory(90);
        policy.setTotalSizeCap(FileSize.valueOf("2GB"));
        policy.start();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        appender.setRollingPolicy(policy);
        appender.setEncoder(encoder);
        appender.start();
        AsyncAppender async = new AsyncAppender();
        async.setContext(context);
        async.setQueueSize(QUEUE_LINES);
        async.setDiscardingThreshold(0);
        async.addAppender(appender);
        async.start();
        lines = context.getLogger("audit");
        lines.setLevel(Level.INFO);
        lines.addAppender(async);
    }

    /**
     * Opens or creates the file.
     *
     * @param node the name of the node that writes it
     * @throws ConfigException if it cannot be written
     */
    public static AuditLog open(Path file, String node) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            if (Files.notExists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            } else if (!Files.isWritable(file) || !Files.isRegularFile(file)) {
                throw new IOException("it is not a writable file");
            }
        } catch (IOException e) {
            throw new ConfigException("--audit " + file + " cannot be written: " + e.getMessage());
        }
        return new AuditLog(file, node);
    }

    @Override
    public void note(String who, String what, String object, Object from, String result) {
        write(line(who, what, object, from, result));
    }

    @Override
    public void transfer(String who, String what, String object, Object from, String result, Moved moved) {
        Map<String, Object> line = line(who, what, object, from, result);
        if (!moved.key().isEmpty()) {
            line.put("transfer", moved.key());
        }
        line.put("bytes", moved.bytes());
        line.put("millis", moved.millis());
        write(line);
    }

    private Map<String, Object> line(String who, String what, String object, Object from, String result) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", Instant.now().toString());
        line.put("node", node);
        line.put("who", cut(who));
        line.put("what", cut(what));
        line.put("object", cut(object));
        line.put("from", cut(from.toString()));
        line.put("result", cut(result));
        return line;
    }

    private void write(Map<String, Object> line) {
        try {
            lines.info(MAPPER.writeValueAsString(line));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("strings and numbers cannot be written as JSON", e);
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_FIELD_LENGTH ? text : text.substring(0, MAX_FIELD_LENGTH) + "...";
    }

    /** Writes the queued lines. */
    @Override
    public void close() {
        context.stop();
    }

    /** Makes files that only their owner can read. */
    private static final class PrivateAppender extends RollingFileAppender<ILoggingEvent> {
        @Override
        public void openFile(String name) throws IOException {
            super.openFile(name);
            Files.setPosixFilePermissions(new File(name).toPath(), PosixFilePermissions.fromString("rw-------"));
        }
    }
}
