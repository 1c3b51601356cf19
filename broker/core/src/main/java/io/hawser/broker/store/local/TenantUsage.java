package io.hawser.broker.store.local;

import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.QuotaUse;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * The bytes kept and reserved under each quota, as far as the log has been applied.
 *
 * <p>Thread: the index writes, any reads.
 */
final class TenantUsage {
    private static final int KEPT = 0;
    private static final int RESERVED = 1;
    private static final int TRANSFERS = 2;
    private static final int FIGURES = 3;

    private final QuotaResolver tenants;
    private final AtomicLongArray sums;

    TenantUsage(QuotaResolver tenants) {
        this.tenants = tenants;
        this.sums = new AtomicLongArray(FIGURES * tenants.quotas().size());
    }

    QuotaResolver tenants() {
        return tenants;
    }

    /** More, or less, is kept, promised and counted for the tenants of that transfer. */
    void add(IndexedTransfer state, long keptBytes, long reservedBytes, int transfers) {
        for (int place : state.chargedTo(tenants)) {
            sums.getAndAdd(place * FIGURES + KEPT, keptBytes);
            sums.getAndAdd(place * FIGURES + RESERVED, reservedBytes);
            sums.getAndAdd(place * FIGURES + TRANSFERS, transfers);
        }
    }

    long bytes(int place) {
        return sums.get(place * FIGURES + KEPT) + sums.get(place * FIGURES + RESERVED);
    }

    long transfers(int place) {
        return sums.get(place * FIGURES + TRANSFERS);
    }

    List<QuotaUse> uses() {
        return IntStream.range(0, tenants.quotas().size())
                .mapToObj(place -> new QuotaUse(
                        tenants.quotas().get(place),
                        sums.get(place * FIGURES + KEPT),
                        sums.get(place * FIGURES + RESERVED),
                        transfers(place)))
                .toList();
    }
}
