package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Parallelism;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.RemoteFileCodec;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings in a process with the heap of an agent. */
class ListingHeapTest {
    private static final int READERS = 3;

    @ParameterizedTest
    @ValueSource(strings = {"LIST -a", "MLSD"})
    void largestListingFitsIntoTheHeapAlsoIfSeveralAreAskedFor(String verb) throws Exception {
        String start = verb.equals("MLSD")
                ? "type=file;size=5;modify=20200103000000; "
                : "-rw-r--r-- 1 ftp ftp 5 Jan 03 2020 ";
        String listing = IntStream.range(0, FarListing.MAX_ENTRIES)
                .mapToObj(i -> start + "measurement-" + i + ".dat\r\n")
                .collect(Collectors.joining());
        assertThat(listed(verb, listing)).isEqualTo("0 listed 100000");
    }

    @Test
    void listingOfLongLinesEndsNoProcess() throws Exception {
        String line = "-rw-r--r-- 1 ftp ftp 5 Jan 03 2020 " + "\u0416" + "n".repeat(16_000) + "\r\n";
        assertThat(listed("LIST -a", line.repeat(1200))).startsWith("0 refused").contains("24 MiB");
    }

    /** The exit status of {@link Reader}, and what it writes. */
    private static String listed(String verb, String listing) throws IOException, InterruptedException {
        try (ScriptedServer server = new ScriptedServer()) {
            server.says("CWD /in", "250 ok").sends(verb, listing);
            if (verb.equals("MLSD")) {
                server.says("FEAT", "211-have\r\n MLST type*;size*;\r\n211 end");
            }
            Process reader = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:+ExitOnOutOfMemoryError",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Reader.class.getName(),
                            server.url())
                    .redirectErrorStream(true)
                    .start();
            try {
                String output = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(reader.waitFor(60, TimeUnit.SECONDS)).isTrue();
                String last = output.strip().substring(output.strip().lastIndexOf('\n') + 1);
                return reader.exitValue() + " " + last;
            } finally {
                reader.destroyForcibly();
            }
        }
    }

    /** Lists the directory several times at once, then once more. Its last line tells how that ended. */
    static final class Reader {
        public static void main(String[] args) throws Exception {
            FarOptions options = FarOptions.with(new Secret("a@b")).withParallelism(new Parallelism(8, 0, 4));
            ExecutorService threads = Executors.newFixedThreadPool(READERS);
            try (FarFiles files = FarFiles.create(new DiskStorage(), FarServer.parse(args[0]), options)) {
                List<Future<String>> results = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    results.add(threads.submit(() -> listed(files)));
                }
                for (Future<String> result : results) {
                    System.out.println(result.get());
                }
                System.out.println(listed(files));
            } finally {
                threads.shutdownNow();
            }
        }

        private static String listed(FarFiles files) {
            ByteBuffer page = ByteBuffer.allocate(1 << 20);
            int count = 0;
            String after = "";
            do {
                Outcome<String> outcome = files.list("", after, page.clear());
                if (outcome.isRefused()) {
                    return "refused: " + outcome.refusal();
                }
                after = outcome.get();
                count += RemoteFileCodec.getAll(page.flip()).size();
            } while (!after.isEmpty());
            return "listed " + count;
        }
    }
}
