package io.hawser.it.bench.links;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.core.config.HostPort;
import io.hawser.release.process.FtpAccount;
import io.hawser.release.process.PatternStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.net.ftp.FTPClient;

/**
 * The client at the left end of a link: reads lines of standard input, does what they say, and answers each with a line of standard
 * output, {@code OK SECONDS} or {@code FAILED why}. {@code upload NAME BYTES SEED} and {@code download NAME BYTES SEED} by FTP, each
 * by a client that connects anew and says ALLO before it sends, as lftp does; {@code small NAME FILES BYTES} through the Java API.
 *
 * <p>Thread: main.
 */
record LinkDriver(HostPort ftp, ClientOptions options) {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int STEP_BYTES = 128 * 1024;

    /** Arguments: agent-a's FTP address, the broker's address, a directory for the state of the Java API. */
    public static void main(String[] arguments) throws IOException {
        ClientOptions options = ClientOptions.of(arguments[1]).withState(Path.of(arguments[2]));
        LinkDriver driver = new LinkDriver(HostPort.parse(arguments[0]), options);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(driver.answer(line.split(" ")));
            System.out.flush();
        }
    }

    private String answer(String[] words) {
        try {
            return "OK "
                    + switch (words[0]) {
                        case "upload" -> upload(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
                        case "download" -> download(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
                        case "small" -> small(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
                        default -> throw new IllegalArgumentException("what is " + words[0] + "?");
                    };
        } catch (Exception e) {
            return "FAILED " + e;
        }
    }

    private double upload(String name, long bytes, long seed) throws IOException {
        return timed(client -> {
            int unused = client.sendCommand("ALLO", Long.toString(bytes));
            OutputStream out = client.storeFileStream(name);
            if (out == null) {
                throw new IOException(client.getReplyString().strip());
            }
            try (out;
                    InputStream source = new PatternStream(bytes, seed)) {
                byte[] step = new byte[STEP_BYTES];
                for (int length = source.read(step); length >= 0; length = source.read(step)) {
                    out.write(step, 0, length);
                }
            }
            // 250 would say that it is still on its way.
            if (!client.completePendingCommand() || client.getReplyCode() != 226) {
                throw new IOException(client.getReplyString().strip());
            }
        });
    }

    private double download(String name, long bytes, long seed) throws IOException {
        return timed(client -> {
            InputStream in = client.retrieveFileStream(name);
            if (in == null) {
                throw new IOException(client.getReplyString().strip());
            }
            try (in) {
                Optional<PatternStream.Difference> difference = PatternStream.firstDifference(in, bytes, seed);
                if (difference.isPresent()) {
                    throw new IOException("other bytes than were sent, from "
                            + difference.get().position() + " on");
                }
            }
            if (!client.completePendingCommand()) {
                throw new IOException(client.getReplyString().strip());
            }
        });
    }

    private interface Transfer {
        void by(FTPClient client) throws IOException;
    }

    /** The seconds of a transfer, with its login. */
    private double timed(Transfer transfer) throws IOException {
        long began = System.nanoTime();
        FTPClient client = FtpAccount.anonymous(ftp).open(Duration.ZERO, TIMEOUT);
        try {
            client.setBufferSize(STEP_BYTES);
            transfer.by(client);
            return seconds(began);
        } finally {
            client.disconnect();
        }
    }

    /** The session is made first: what is measured is what goes over one that is there. */
    private double small(String name, int files, int bytes) throws Exception {
        byte[] content = new byte[bytes];
        new SplittableRandom(1).nextBytes(content);
        try (HawserClient client = HawserClient.connect(options)) {
            await(List.of(client.send(LinkNodes.TOPIC, name + "/first", content)));
            long began = System.nanoTime();
            List<SentTransfer> sent = new ArrayList<>(files);
            for (int i = 0; i < files; i++) {
                sent.add(client.send(LinkNodes.TOPIC, name + "/" + i / 1000 + "/" + i, content));
            }
            await(sent);
            return seconds(began);
        }
    }

    private static void await(List<SentTransfer> sent) throws Exception {
        CompletableFuture<?>[] delivered =
                sent.stream().map(SentTransfer::delivered).toArray(CompletableFuture[]::new);
        Object unused = CompletableFuture.allOf(delivered).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }
}
