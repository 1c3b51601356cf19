package io.hawser.broker.relay;

import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.model.SubscriptionTerms;
import java.time.Duration;

/**
 * The limits of a relay.
 *
 * @param hop the bounds of each subscription's sender
 * @param transfersPerSubscription transfers of one subscription that are in memory at once; the others wait in the store
 * @param page how many transfers or receipts are asked of the store at once
 * @param publisherWindowBytes credit of a publisher's session
 * @param retainIncompleteMillis after how long without a new fragment an open transfer is dropped
 * @param retainUnclaimedMillis after how long a committed transfer that no subscription has come for is dropped;
 *     {@link #NO_LIMIT} for never
 * @param createTopics whether a topic may come into being by its first use
 * @param memberPatienceMillis after how long without a session what a member of a group has not been permitted to deliver goes to others
 */
public record RelayLimits(
        HopSenderLimits hop,
        int transfersPerSubscription,
        int page,
        long publisherWindowBytes,
        long retainIncompleteMillis,
        long retainUnclaimedMillis,
        boolean createTopics,
        long memberPatienceMillis) {
    /** For ever. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /** After how long an uncollected reply is dropped; the asker's own time is over long before. */
    public static final long RETAIN_REPLIES_MILLIS = 3_600_000L;

    private static final long ONE_DAY_MILLIS = 86_400_000L;

    /** What the broker uses. */
    public static final RelayLimits DEFAULT =
            new RelayLimits(HopSenderLimits.DEFAULT, 4096, 512, 16L << 20, 7 * ONE_DAY_MILLIS, NO_LIMIT, true, 10_000);

    /** A time for people. */
    static String text(long millis) {
        return SubscriptionTerms.text(Duration.ofMillis(millis));
    }

    /** The same with another time for incomplete transfers. */
    public RelayLimits withRetainIncomplete(Duration time) {
        return with(time.toMillis(), retainUnclaimedMillis, memberPatienceMillis);
    }

    /** The same with a limit for committed transfers that no subscription has come for. */
    public RelayLimits withRetainUnclaimed(Duration time) {
        return with(retainIncompleteMillis, time.toMillis(), memberPatienceMillis);
    }

    /** The same with another limit for group members that are away. */
    public RelayLimits withMemberPatience(Duration time) {
        return with(retainIncompleteMillis, retainUnclaimedMillis, time.toMillis());
    }

    private RelayLimits with(long incompleteMillis, long unclaimedMillis, long patienceMillis) {
        return new RelayLimits(
                hop,
                transfersPerSubscription,
                page,
                publisherWindowBytes,
                incompleteMillis,
                unclaimedMillis,
                createTopics,
                patienceMillis);
    }
}
