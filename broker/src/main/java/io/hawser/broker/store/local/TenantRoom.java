package io.hawser.broker.store.local;

import io.hawser.broker.store.Tenants;
import io.hawser.common.access.Quota;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.relay.Lack;
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
 * What the tenants of the broker still have room for: their quotas, less what the index knows of, less what was let in since.
 *
 * <p>Thread: the relay's loop only.
 */
final class TenantRoom {
    /** Behind a quota's name: it is transfers that it has no room for, which no turn of another's helps. */
    private static final String IN_NUMBER = " (transfers)";

    private final Supplier<TenantSums> figures;
    /** All that was let in and that the index has not seen. */
    private final Supplier<List<Collection<Admission.Pending>>> pending;

    private Tenants tenants = Tenants.NONE;
    private long[] pendingBytes = {};
    private long[] pendingTransfers = {};

    TenantRoom(Supplier<TenantSums> figures, Supplier<List<Collection<Admission.Pending>>> pending) {
        this.figures = figures;
        this.pending = pending;
    }

    /** The figures of the index; if they are of other tenants now, what is pending is charged to these. */
    private TenantSums current() {
        TenantSums sums = figures.get();
        if (sums.tenants() != tenants) {
            tenants = sums.tenants();
            pendingBytes = new long[tenants.quotas().size()];
            pendingTransfers = new long[tenants.quotas().size()];
            pending.get().forEach(some -> some.forEach(each -> charge(each, 1)));
        }
        return sums;
    }

    /** That is pending from now on; called before it is in the collections. */
    void add(Admission.Pending each) {
        current();
        charge(each, 1);
    }

    /** That is not pending any more; called while it is still in the collections. */
    void remove(Admission.Pending each) {
        current();
        charge(each, -1);
    }

    private void charge(Admission.Pending each, long sign) {
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
    Lack whyNever(Manifest manifest, String what, long bytes) {
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
                return new Lack(quota.name(), new Refusal(ErrorCode.TOO_LARGE, why));
            }
        }
        return null;
    }

    /** Why there is no room for so many more bytes now, or null. */
    @Nullable
    Lack whyNotBytes(Manifest manifest, long bytes) {
        TenantSums sums = current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            long taken = sums.bytes(place) + pendingBytes[place];
            if (bytes > 0 && taken + bytes > quota.bytes()) {
                String why = String.format(
                        Locale.ROOT,
                        "no room for %,d bytes of %s: of the quota of %s at the broker, %s, %,d bytes are taken. It goes on by"
                                + " itself when some of that has been delivered.",
                        bytes,
                        manifest.name(),
                        quota.name(),
                        quota.limits(),
                        taken);
                return new Lack(quota.name(), new Refusal(ErrorCode.NO_SPACE, why));
            }
        }
        return null;
    }

    /** Why there is no room for one transfer more now, or null. */
    @Nullable
    Lack whyNotOneMore(Manifest manifest, BooleanSupplier isWaitedFor) {
        TenantSums sums = current();
        for (int place : of(manifest)) {
            Quota quota = tenants.quotas().get(place);
            long there = sums.transfers(place) + pendingTransfers[place];
            if (there + 1 > quota.transfers() && !isWaitedFor.getAsBoolean()) {
                String why = String.format(
                        Locale.ROOT,
                        "no room for %s: of the quota of %s at the broker, %s, %,d transfers are there. It goes on by itself"
                                + " when some of them have been delivered.",
                        manifest.name(),
                        quota.name(),
                        quota.limits(),
                        there);
                return new Lack(quota.name() + IN_NUMBER, new Refusal(ErrorCode.NO_SPACE, why));
            }
        }
        return null;
    }
}
