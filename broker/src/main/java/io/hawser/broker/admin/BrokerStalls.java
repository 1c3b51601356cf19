package io.hawser.broker.admin;

import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.broker.store.TransferStatus;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.HopSender.Stopped;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.observe.StallCause;
import io.hawser.common.observe.StalledTransfers;
import io.hawser.common.relay.MemberShare;
import io.hawser.common.relay.RefusedTransfers;
import io.hawser.common.relay.Relay;
import io.hawser.common.relay.Subscriptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Finds what the broker holds and what does not move, with its cause: what subscriptions are owed, what no subscription has come for, and
 * what publishers are refused for now. It asks the store without waiting, so that {@code /health} answers whatever the store does.
 *
 * <p>Thread: the relay's loop; {@link #latest()} any.
 */
public final class BrokerStalls {
    /** Of what nobody has come for no more is counted. */
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
            relay.refusedLately().lately().forEach(each -> addRefused(each, found));
            store.subscriptionStatus(outcome -> {
                if (!outcome.isRefused()) {
                    outcome.get().forEach(status -> addOwed(status, found));
                }
                lookForUnclaimed(found);
            });
        }
    }

    private void addRefused(RefusedTransfers.Refused refused, StalledTransfers found) {
        Manifest manifest = refused.manifest();
        Refusal refusal = refused.refusal();
        found.add(
                refusal.code() == ErrorCode.NO_SPACE ? StallCause.NO_SPACE : StallCause.REFUSED,
                manifest.name(),
                refusal.code() + ": " + refusal.detail(),
                relay.refusedLately().waitedMillis(refused));
    }

    private void addOwed(SubscriptionStatus status, StalledTransfers found) {
        Subscriptions subscriptions = relay.subscriptions();
        String name = status.spec().name();
        String shown = "subscription " + name;
        long owedMillis = sinceMillis(status.oldestCommittedEpochMillis());
        for (MemberShare member : subscriptions.members(name)) {
            if (!member.connected()) {
                String reason = "only its member " + member.name() + " may deliver it, which is not connected";
                found.add(StallCause.MEMBER_AWAY, member.pinned(), shown, reason, member.awayMillis());
            }
        }
        if (!subscriptions.isConnected(name)) {
            found.add(
                    StallCause.SUBSCRIPTION,
                    status.owedTransfers(),
                    shown,
                    "its consumer is not connected",
                    Math.min(subscriptions.idleMillis(name), owedMillis));
            return;
        }
        Optional<Stopped> stopped = subscriptions.longestStopped(name);
        stopped.ifPresent(each -> found.add(
                StallCause.SUBSCRIPTION,
                status.owedTransfers(),
                shown,
                each.manifest().name() + ", " + each.reason(),
                Math.min(each.millis(), owedMillis)));
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

    private static void addUnclaimed(int transfers, TransferStatus oldest, StalledTransfers found) {
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
