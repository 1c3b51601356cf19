package io.hawser.ops.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/**
 * {@code /openapi.json}: the description of the admin pages of all nodes. It is no secret, so each admitted caller gets it.
 *
 * <p>Thread: the admin thread.
 */
final class OpenApiPage implements AdminPage.CheckingPage {
    private static final String FILE = "openapi.json";

    private final Answer answer = new Answer(200, JSON, text());

    private static String text() {
        try (InputStream file = Objects.requireNonNull(OpenApiPage.class.getResourceAsStream(FILE))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Answer get(Map<String, String> query, Caller caller) {
        return answer;
    }
}
