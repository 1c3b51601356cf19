package io.hawser.broker.store.local;

import io.hawser.broker.store.QuotaResolver;
import io.hawser.core.access.Quota;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.store.space.SpaceAnswer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The unused rest of each tenant's quota: the quota, less what the index counts, less what was admitted since.
 *
 * <p>Thread: the relay's loop only.
 */
final class TenantBudgets {
    /** Suffix of a quota's name: the number of transfers is exhausted, which waiting for other transfers does not help. */
    private static final String IN_NUMBER = " (transfers)";

    private final Supplier<TenantUsage> figures;
    /** All that was let in and that the index has not seen. */
    private final Supplier<List<Collection<SpaceAdmission.Pending>>> pending;

    private QuotaResolver tenants = QuotaResolver.NONE;
    private long[] pendingBytes = {};
    private long[] pendingTransfers = {};

    TenantBudgets(Supplier<TenantUsage> figures, Supplier<List<Collection<SpaceAdmission.Pending>>> pending) {
        this.figures = figures;
        this.pending = pending;
    }

    /** The figures of the index; if they are of other tenants now, what is pending is charged to these. */
    private TenantUsage current() {
        TenantUsage sums = figures.get();
        if (sums.tenants() != tenants) {
            tenants = sums.tenants();
            pendingBytes = new long[tenants.quotas().size()];
            pendingTransfers = new long[tenants.quotas().size()];
            pending.get().forEach(some -> some.forEach(each -> charge(each, 1)));
        }
        return sums;
    }

    /** That is pending from now on; called before it is in the collections. */
    void add(SpaceAdmission.Pending each) {
        current();
        charge(each, 1);
    }

    /** That is not pending any more; called while it is still in the collections. */
    void remove(SpaceAdmission.Pending each) {
        current();
        charge(each, -1);
    }

    private void charge(SpaceAdmission.Pending each, long sign) {
        for (int place : tenants.of(each.key.publisher(), each.topic)) {
            pendingBytes[place] += sign * each.bytes;
            pendingTransfers[place] += sign * each.transfers;
        }
    }

    /** The names of the quotas that a transfer is charged to. */
    Set<String> quotas(Manifest manifest) {
        current();
        return IntStream.of(of(manifest))
                .mapToObj(place -> tenants.quotas().get(place).name())
                .collect(Collectors.toUnmodifiableSet());
    }

    private int[] of(Manifest manifest) {
        return tenants.of(manifest.key().publisher(), manifest.topic());
    }

    /** Whether a transfer of so many bytes can ever fit. */
    SpaceAnswer admitEver(Manifest manifest, String what, long bytes) {
        current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            if (bytes > quota.bytes()) {
                return new SpaceAnswer.No(String.format(
                        Locale.ROOT,
                        "%s %,d bytes; the quota of %s at the broker is %s in all. Its operator can raise it in the ACL"
                                + " file, or send less.",
                        what,
                        bytes,
                        quota.name(),
                        quota.limits()));
            }
        }
        return SpaceAnswer.yes();
    }

    /** Whether there is room for so many more bytes now. */
    SpaceAnswer admitBytes(Manifest manifest, long bytes) {
        TenantUsage sums = current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            long taken = sums.bytes(place) + pendingBytes[place];
            if (bytes > 0 && bytes > quota.bytes() - taken) {
                String need = String.format(Locale.ROOT, "%,d bytes of ", bytes);
                String use = String.format(Locale.ROOT, "%,d bytes are taken", taken);
                return over(quota, quota.name(), need, manifest, use);
            }
        }
        return SpaceAnswer.yes();
    }

    /** Whether there is room for one transfer more now. */
    SpaceAnswer admitOneMore(Manifest manifest, BooleanSupplier isWaitedFor) {
        TenantUsage sums = current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            long there = sums.transfers(place) + pendingTransfers[place];
            if (there + 1 > quota.transfers() && !isWaitedFor.getAsBoolean()) {
                String use = String.format(Locale.ROOT, "%,d transfers are there", there);
                return over(quota, quota.name() + IN_NUMBER, "", manifest, use);
            }
        }
        return SpaceAnswer.yes();
    }

    private static SpaceAnswer over(Quota quota, String space, String need, Manifest manifest, String use) {
        String why = "No room for " + need + Printable.shortly(manifest.name()) + ": of the quota of " + quota.name()
                + " at the broker, " + quota.limits() + ", " + use
                + ". It resumes by itself when some of that has been delivered.";
        return new SpaceAnswer.Wait(space, true, why);
    }
}
