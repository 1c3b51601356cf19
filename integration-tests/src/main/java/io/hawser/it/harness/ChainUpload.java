package io.hawser.it.harness;

import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.PacedUpload;
import io.hawser.release.process.PatternStream;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one upload by FTP at full speed through a chain took, until the broker had the receipt <i>delivered</i>: then all three copies
 * are durable, and the far one has been read back and verified. Seconds since the client began to connect.
 *
 * @param began when that was
 * @param clientSeconds until the last byte had left the client
 * @param replySeconds until the final reply (spooled)
 * @param brokerSeconds until all was durable at the broker
 * @param deliveredSeconds until the receipt
 * @param cpuSeconds of the nodes' processors meanwhile
 * @param equal whether the bytes that were sent are at the far end
 */
public record ChainUpload(
        Instant began,
        double clientSeconds,
        double replySeconds,
        double brokerSeconds,
        double deliveredSeconds,
        Map<Part, Double> cpuSeconds,
        boolean equal) {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    /** Asking costs the broker processor time, and is paid for by what is measured. */
    private static final long POLL_MILLIS = 50;

    private static final long UNPACED = 1L << 50;

    /** Uploads {@link PatternStream}'s bytes under a new name, compares what arrives, and removes it. */
    public static ChainUpload of(ProcessChain chain, String name, long sizeBytes, long seed)
            throws IOException, InterruptedException {
        Map<Part, Double> cpuBefore = cpu(chain);
        Instant wallBegan = Instant.now();
        long began = System.nanoTime();
        PacedUpload upload = PacedUpload.start(chain.ftp(), name, new PatternStream(sizeBytes, seed), UNPACED);
        double client = -1;
        double reply = -1;
        double broker = -1;
        while (true) {
            double now = (System.nanoTime() - began) / 1e9;
            if (client < 0 && upload.sentBytes() >= sizeBytes) {
                client = now;
            }
            if (reply < 0 && upload.reply().isDone()) {
                String unused = upload.reply().join();
                reply = now;
            }
            Optional<TransferStatus> status = chain.status(Part.BROKER, name);
            if (broker < 0 && atBroker(status) >= sizeBytes) {
                broker = now;
            }
            // The receipt, not the file's appearance: a name appears before its directory was forced.
            if (status.filter(TransferStatus::wasDelivered).isPresent()) {
                double delivered = (System.nanoTime() - began) / 1e9;
                Map<Part, Double> cpu = since(cpuBefore, chain);
                boolean equal = arrivedEqual(chain, name, sizeBytes, seed);
                return new ChainUpload(wallBegan, client, reply, broker, delivered, cpu, equal);
            }
            if (now > LIMIT.toSeconds()) {
                throw new IllegalStateException(name + " was not delivered within " + LIMIT.toMinutes() + " minutes");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static boolean arrivedEqual(ProcessChain chain, String name, long sizeBytes, long seed) throws IOException {
        Path file = chain.target().resolve(name);
        boolean equal = PatternStream.matches(file, sizeBytes, seed);
        Files.delete(file);
        return equal;
    }

    private static Map<Part, Double> cpu(ProcessChain chain) {
        Map<Part, Double> seconds = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            seconds.put(
                    part,
                    ProcessHandle.of(chain.node(part).pid())
                            .flatMap(handle -> handle.info().totalCpuDuration())
                            .map(duration -> duration.toMillis() / 1e3)
                            .orElse(0.0));
        }
        return seconds;
    }

    private static Map<Part, Double> since(Map<Part, Double> before, ProcessChain chain) {
        Map<Part, Double> seconds = cpu(chain);
        seconds.replaceAll((part, value) -> value - before.getOrDefault(part, 0.0));
        return seconds;
    }

    private static long atBroker(Optional<TransferStatus> status) {
        return status.flatMap(known -> known.hop(HopStatus.PUBLISHER_TO_BROKER))
                .map(hop -> hop.bytes().durableBytes())
                .orElse(0L);
    }
}
