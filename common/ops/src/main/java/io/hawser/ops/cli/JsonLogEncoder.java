package io.hawser.ops.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/**
 * Writes a log event as one line of JSON: {@code time} (UTC), {@code level}, {@code logger}, {@code thread}, {@code message}, {@code fields} and, with a
 * cause, {@code exception}. Numbers and booleans keep their types. The line is ASCII, so that no text of a peer controls a terminal.
 *
 * <p>Thread: any that logs; Logback's appender lets one in at a time.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final byte[] NONE = {};
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final boolean withStackTraces;

    JsonLogEncoder(boolean withStackTraces) {
        this.withStackTraces = withStackTraces;
    }

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("thread", event.getThreadName());
        line.put("message", event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            Map<String, Object> fields = new LinkedHashMap<>();
            event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, value(pair)));
            line.put("fields", fields);
        }
        IThrowableProxy cause = event.getThrowableProxy();
        if (cause != null) {
            line.put("exception", withStackTraces ? ThrowableProxyUtil.asString(cause) : sentence(cause));
        }
        try {
            return (MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.US_ASCII);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts, numbers and booleans are JSON values", e);
        }
    }

    private static Object value(KeyValuePair pair) {
        return pair.value instanceof Number || pair.value instanceof Boolean ? pair.value : String.valueOf(pair.value);
    }

    private static String sentence(IThrowableProxy cause) {
        String own = cause.getClassName() + ": " + cause.getMessage();
        IThrowableProxy deeper = cause.getCause();
        return deeper == null ? own : own + "; caused by " + sentence(deeper);
    }
}
