package io.hawser.it.bench.links;

import io.hawser.core.config.HostPort;
import io.hawser.it.bench.links.Wan.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of a {@link LinkDriver} at the left end of a link.
 *
 * <p>Thread: one; {@link #close} any.
 */
final class LinkClient implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final Writer orders;

    /** @param ftp where agent-a is */
    LinkClient(Wan wan, HostPort ftp, HostPort broker, Path directory) throws IOException {
        List<String> words = new ArrayList<>(wan.at(Site.LEFT));
        words.addAll(new BenchJvm(directory)
                .command(
                        LinkDriver.class,
                        ftp.toString(),
                        broker.toString(),
                        directory.resolve("state").toString()));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectError(directory.resolve("client.log").toFile());
        builder.environment().putAll(wan.environment());
        process = builder.start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** The seconds that it took. */
    double run(String order) throws IOException {
        orders.write(order + "\n");
        orders.flush();
        String answer = answers.readLine();
        if (answer == null || !answer.startsWith("OK ")) {
            throw new IOException("'" + order + "': " + (answer == null ? "the client died" : answer));
        }
        return Double.parseDouble(answer.substring("OK ".length()));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
