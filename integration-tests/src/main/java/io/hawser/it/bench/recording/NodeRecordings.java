package io.hawser.it.bench.recording;

import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A flight recording of each node of a chain, from its start until it has been stopped in order.
 *
 * <p>Thread: one.
 */
final class NodeRecordings {
    private final Path directory;
    private final Path settings;

    /** @param events by name, each with its settings */
    NodeRecordings(Path directory, Map<String, Map<String, String>> events) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.settings = Files.writeString(directory.resolve("settings.jfc"), text(events));
    }

    private static String text(Map<String, Map<String, String>> events) {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration version=\"2.0\">\n");
        events.forEach((event, values) -> {
            text.append("<event name=\"").append(event).append("\"><setting name=\"enabled\">true</setting>");
            values.forEach((name, value) -> text.append("<setting name=\"")
                    .append(name)
                    .append("\">")
                    .append(value)
                    .append("</setting>"));
            text.append("</event>\n");
        });
        return text.append("</configuration>\n").toString();
    }

    /** From their next start on, the nodes are recorded. */
    void of(ProcessChain chain) {
        for (Part part : Part.values()) {
            List<String> options =
                    new ArrayList<>(part == Part.BROKER ? NodeProcess.BROKER_OPTIONS : NodeProcess.NODE_OPTIONS);
            options.add("-XX:FlightRecorderOptions=repository=" + directory + ",stackdepth=64");
            options.add("-XX:StartFlightRecording=dumponexit=true,settings=" + settings + ",filename=" + file(part));
            chain.withJvmOptions(part, options);
        }
    }

    private Path file(Part part) {
        return directory.resolve(part.command() + ".jfr");
    }

    /** Every event of a node that has been stopped. */
    void read(Part part, Consumer<RecordedEvent> to) throws IOException {
        read(file(part), to);
    }

    static void read(Path file, Consumer<RecordedEvent> to) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                to.accept(recording.readEvent());
            }
        }
    }
}
