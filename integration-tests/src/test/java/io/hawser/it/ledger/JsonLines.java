package io.hawser.it.ledger;

import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A file with a line of JSON for each value, to which runs add. Thread: one. */
public record JsonLines<T>(Path file, Class<T> type) {
    /** Asked before anything is begun whose result would be lost. @throws IOException if nothing can be added */
    public void checkWritable() throws IOException {
        Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                .close();
    }

    /** Adds a value; one that cannot be added is shown instead. */
    public void add(T value) {
        String line = Json.line(value);
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            System.err.println("not added to " + file + ": " + line);
            throw new UncheckedIOException(e);
        }
    }

    /** All that was ever added; nothing if there is no such file. @throws IOException if a line is something else */
    public List<T> all() throws IOException {
        List<T> values = new ArrayList<>();
        if (!Files.exists(file)) {
            return values;
        }
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (!line.isBlank()) {
                values.add(read(line, number));
            }
        }
        return values;
    }

    private T read(String line, int number) throws IOException {
        try {
            return Json.read(line.getBytes(StandardCharsets.UTF_8), type);
        } catch (IOException e) {
            throw new IOException(file + ", line " + number + ", is no " + type.getSimpleName(), e);
        }
    }
}
