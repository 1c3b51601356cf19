package io.hawser.broker.admin;

import io.hawser.broker.relay.GroupMemberStatus;
import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.core.hop.HopSender.Stopped;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.StallCause;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.store.space.WaitingTransfers;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the transfers that do not move, with the cause: what subscriptions are owed, what no subscription exists for, and what
 * publishers are temporarily refused. It asks the store without waiting, so that {@code /health} answers whatever the store does.
 *
 * <p>Thread: the relay's loop; {@link #latest()} any.
 */
public final class BrokerStalls {
    /** The most transfers without a subscription that are counted. */
    private static final int MAX_UNCLAIMED = 1_000;

    private final BrokerStore store;
    private final Relay relay;
    private final Duration warnAfter;
    private volatile StalledTransfers latest;
    private boolean looking;

    public BrokerStalls(BrokerStore store, Relay relay, Duration warnAfter) {
        this.store = store;
        this.relay = relay;
        this.warnAfter = warnAfter;
        this.latest = new StalledTransfers(warnAfter);
    }

    /** What the last look has found. */
    StalledTransfers latest() {
        return latest;
    }

    /** Looks, unless the last look has not ended. */
    public void look() {
        if (!looking) {
            looking = true;
            StalledTransfers found = new StalledTransfers(warnAfter);
            relay.waitingForSpace().lately().forEach(each -> addRefused(each, found));
            store.subscriptionStatus(outcome -> {
                List<SubscriptionStatus> all = outcome.isRefused() ? List.of() : outcome.get();
                lookAtSubscriptions(all.iterator(), found);
            });
        }
    }

    private void addRefused(WaitingTransfers.Waiting refused, StalledTransfers found) {
        Refusal refusal = refused.answer().refusal();
        found.add(
                StallCause.NO_SPACE,
                refused.manifest().name(),
                refusal.code() + ": " + refusal.detail(),
                relay.waitingForSpace().waitedMillis(refused));
    }

    private void lookAtSubscriptions(Iterator<SubscriptionStatus> rest, StalledTransfers found) {
        while (rest.hasNext()) {
            SubscriptionStatus status = rest.next();
            String name = status.spec().name();
            if (!relay.subscriptions().isConnected(name)) {
                addAway(status, found);
            }
            addMembersAway(status, found);
            Stopped stopped = relay.subscriptions()
                    .longestStopped(name)
                    .filter(each -> each.millis() >= warnAfter.toMillis())
                    .orElse(null);
            if (stopped != null && relay.subscriptions().isConnected(name)) {
                store.transfer(stopped.manifest().key(), outcome -> {
                    addStopped(status, stopped, outcome.isRefused() ? null : outcome.get(), found);
                    lookAtSubscriptions(rest, found);
                });
                return;
            }
        }
        lookForUnclaimed(found);
    }

    private void addAway(SubscriptionStatus status, StalledTransfers found) {
        String name = status.spec().name();
        found.add(
                StallCause.SUBSCRIPTION,
                status.owedTransfers(),
                shown(status),
                "its consumer is not connected",
                Math.min(relay.subscriptions().idleMillis(name), owedMillis(status)));
    }

    private void addMembersAway(SubscriptionStatus status, StalledTransfers found) {
        for (GroupMemberStatus member :
                relay.subscriptions().members(status.spec().name())) {
            if (!member.connected()) {
                String reason = "only its member " + member.name() + " may deliver it, which is not connected";
                found.add(StallCause.MEMBER_AWAY, member.pinned(), shown(status), reason, member.awayMillis());
            }
        }
    }

    private void addStopped(
            SubscriptionStatus status,
            Stopped stopped,
            @Nullable StoredTransferStatus transfer,
            StalledTransfers found) {
        SubscriptionSpec spec = status.spec();
        String reason = transfer == null
                ? stopped.progress().reason()
                : ConsumerStallReason.reason(
                        stopped.progress(),
                        spec,
                        transfer.transfer().commit(),
                        transfer.receipts().get(spec.name()));
        found.add(
                StallCause.SUBSCRIPTION,
                status.owedTransfers(),
                shown(status),
                stopped.manifest().name() + ", " + reason,
                Math.min(stopped.millis(), owedMillis(status)));
    }

    private static String shown(SubscriptionStatus status) {
        return "subscription " + status.spec().name();
    }

    private static long owedMillis(SubscriptionStatus status) {
        return sinceMillis(status.oldestCommittedEpochMillis());
    }

    private void lookForUnclaimed(StalledTransfers found) {
        long before = System.currentTimeMillis() - warnAfter.toMillis();
        store.unclaimedSince(before, false, MAX_UNCLAIMED, outcome -> {
            List<TransferKey> keys = outcome.isRefused() ? List.of() : outcome.get();
            if (keys.isEmpty()) {
                end(found);
            } else {
                store.transfer(keys.get(0), oldest -> {
                    if (!oldest.isRefused()) {
                        addUnclaimed(keys.size(), oldest.get(), found);
                    }
                    end(found);
                });
            }
        });
    }

    private static void addUnclaimed(int transfers, StoredTransferStatus oldest, StalledTransfers found) {
        Manifest manifest = oldest.transfer().manifest();
        String reason = "no subscription of topic " + manifest.topic() + " has come for it";
        found.add(StallCause.UNCLAIMED, transfers, manifest.name(), reason, sinceMillis(oldest.changedEpochMillis()));
    }

    private static long sinceMillis(long epochMillis) {
        return Math.max(0, System.currentTimeMillis() - epochMillis);
    }

    private void end(StalledTransfers found) {
        latest = found;
        looking = false;
    }
}
