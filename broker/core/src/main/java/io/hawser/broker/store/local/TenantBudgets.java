package io.hawser.broker.store.local;

import io.hawser.broker.relay.AdmissionRefusal;
import io.hawser.broker.store.QuotaResolver;
import io.hawser.core.access.Quota;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

    /** Why a transfer of so many bytes never fits, or null. */
    @Nullable
    AdmissionRefusal whyNever(Manifest manifest, String what, long bytes) {
        current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            if (bytes > quota.bytes()) {
                String why = String.format(
                        Locale.ROOT,
                        "%s %,d bytes; the quota of %s at the broker is %s in all. Its operator can raise it in the ACL"
                                + " file, or send less.",
                        what,
                        bytes,
                        quota.name(),
                        quota.limits());
                return new AdmissionRefusal(quota.name(), new Refusal(ErrorCode.TOO_LARGE, why));
            }
        }
        return null;
    }

    /** Why there is no room for so many more bytes now, or null. */
    @Nullable
    AdmissionRefusal whyNotBytes(Manifest manifest, long bytes) {
        TenantUsage sums = current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            long taken = sums.bytes(place) + pendingBytes[place];
            if (bytes > 0 && bytes > quota.bytes() - taken) {
                String why = String.format(
                        Locale.ROOT,
                        "no room for %,d bytes of %s: of the quota of %s at the broker, %s, %,d bytes are taken. It resumes by"
                                + " itself when some of that has been delivered.",
                        bytes,
                        manifest.name(),
                        quota.name(),
                        quota.limits(),
                        taken);
                return new AdmissionRefusal(quota.name(), new Refusal(ErrorCode.NO_SPACE, why));
            }
        }
        return null;
    }

    /** Why there is no room for one transfer more now, or null. */
    @Nullable
    AdmissionRefusal whyNotOneMore(Manifest manifest, BooleanSupplier isWaitedFor) {
        TenantUsage sums = current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            long there = sums.transfers(place) + pendingTransfers[place];
            if (there + 1 > quota.transfers() && !isWaitedFor.getAsBoolean()) {
                String why = String.format(
                        Locale.ROOT,
                        "no room for %s: of the quota of %s at the broker, %s, %,d transfers are there. It resumes by itself"
                                + " when some of them have been delivered.",
                        manifest.name(),
                        quota.name(),
                        quota.limits(),
                        there);
                return new AdmissionRefusal(quota.name() + IN_NUMBER, new Refusal(ErrorCode.NO_SPACE, why));
            }
        }
        return null;
    }
}
