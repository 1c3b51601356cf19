package io.hawser.broker.kafka;

import io.hawser.broker.store.StoreOpeningListener;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports progress while the store opens: always to the admin pages; in the log when it changes, and every ten seconds while it
 * waits.
 *
 * <p>Thread: any.
 */
final class OpeningReporter implements StoreOpeningListener {
    private static final Logger LOG = LoggerFactory.getLogger(OpeningReporter.class);
    private static final long AGAIN_NANOS = Duration.ofSeconds(10).toNanos();
    private static final String BY_ITSELF = "";

    private final StoreOpeningListener pages;
    private final LongSupplier nanos;
    private String told = BY_ITSELF;
    private long toldNanos;
    private boolean standing;

    /** @param nanos the clock */
    OpeningReporter(StoreOpeningListener pages, LongSupplier nanos) {
        this.pages = pages;
        this.nanos = nanos;
    }

    @Override
    public synchronized void waitsFor(String what) {
        pages.waitsFor(what);
        standing = false;
        long now = nanos.getAsLong();
        if (!what.equals(told) || now - toldNanos >= AGAIN_NANOS) {
            told = what;
            toldNanos = now;
            LOG.atWarn().addKeyValue("reason", what).log("The store is not there yet; the broker tries on");
        }
    }

    @Override
    public synchronized void standsBy() {
        pages.standsBy();
        if (!standing) {
            standing = true;
            told = BY_ITSELF;
            LOG.atInfo().log("Standing by until this broker has the store");
        }
    }

    @Override
    public synchronized void begins() {
        pages.begins();
        standing = false;
        told = BY_ITSELF;
    }
}
