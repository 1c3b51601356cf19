package io.hawser.broker.kafka;

import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.WarningCode;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures for how long Kafka has confirmed no write: acks to publishers wait for that, so operators must know.
 *
 * <p>Thread: any.
 */
final class AckStallMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(AckStallMonitor.class);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long AGAIN_NANOS = Duration.ofSeconds(30).toNanos();

    private final LongSupplier nanos;
    private long waiting;
    private long sinceNanos;
    private boolean told;
    private long toldNanos;

    /** @param nanos the clock */
    AckStallMonitor(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A record was given to be written. */
    synchronized void given() {
        if (waiting == 0) {
            sinceNanos = nanos.getAsLong();
        }
        waiting++;
    }

    /** So many records were confirmed, or refused. */
    synchronized void over(int records) {
        waiting -= records;
        sinceNanos = nanos.getAsLong();
    }

    /** What an operator should know; empty if all is well. */
    synchronized List<HealthWarning> warnings() {
        return isSilent()
                ? List.of(WarningCode.KAFKA_SILENT.says(
                        "for " + silentSeconds() + " s Kafka has confirmed nothing of what this broker writes, and acks"
                                + " wait. Are enough of its nodes there (min.insync.replicas)? After three minutes the"
                                + " broker ends"))
                : List.of();
    }

    private boolean isSilent() {
        return waiting > 0 && nanos.getAsLong() - sinceNanos > PATIENCE_NANOS;
    }

    private long silentSeconds() {
        return Duration.ofNanos(nanos.getAsLong() - sinceNanos).toSeconds();
    }

    /** Says in the log what is new since it was called last. Called often. */
    synchronized void tell() {
        if (!isSilent()) {
            if (told) {
                LOG.atInfo().log("Kafka confirms again what is written");
            }
            told = false;
        } else if (!told || nanos.getAsLong() - toldNanos >= AGAIN_NANOS) {
            told = true;
            toldNanos = nanos.getAsLong();
            LOG.atWarn()
                    .addKeyValue("records", waiting)
                    .addKeyValue("seconds", silentSeconds())
                    .log("Kafka does not confirm what is written; acks wait");
        }
    }
}
