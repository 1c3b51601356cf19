package io.hawser.it.sim;

/** Bugs that the models can be told to have, to show that the simulator finds them. Each is one that real systems had. */
public enum PlantedBug {
    NONE,
    /** The log says durable when it has only queued the record. */
    ACK_BEFORE_FORCE,
    /** The landing area says durable when it has only queued the record. */
    LANDING_ACK_BEFORE_FORCE,
    /** The spool announces what it has not forced. */
    SPOOL_NOT_FORCED,
    /** The spool does not force the directory of new content. */
    SPOOL_DIRECTORY_NOT_FORCED,
    /** The landing area forces the bytes of fragments and not their digests. */
    LANDING_LEAVES_NOT_FORCED,
    /** The landing area's journal says durable what it has only written. */
    LANDING_JOURNAL_NOT_FORCED,
    /** A start lists segments whose names are not durable. */
    SEGMENT_LISTED_TOO_EARLY,
    /** The broker's COMMIT is called durable, and so forwarded, before it is. */
    COMMIT_BEFORE_FORCE,
    /** Recovery announces what it found before it has forced it. */
    ANNOUNCE_BEFORE_RESYNC,
    /** The broker drops its copy when the first subscription has it. */
    FORGET_AFTER_FIRST_SUBSCRIPTION,
    /** The publisher drops its copy when all of it was sent. */
    FORGET_WHEN_SENT,
    /** The landing area does not remember what it has delivered. */
    DEDUPE_DROPPED,
    /** DELIVERED is journaled without the force of the directory. */
    NO_DIRECTORY_FORCE,
    /** After a crash a verified object without a landing file is written out again. */
    REPUBLISH_WHEN_FILE_IS_GONE,
    /** The object gets its name before it is complete. */
    PUBLISH_BEFORE_COMPLETE,
    /** Manifests name no paths. */
    PATHS_LEFT_OUT,
    /** Receipts are acked before they are durable at the publisher. */
    RECEIPT_ACK_BEFORE_FORCE,
    /** A restarted publisher goes on with an upload from another version of its source. */
    SOURCE_VERSIONS_MIXED,
    /** After a failed force the file goes on as if nothing had been. */
    FORCE_RETRIED,
    /** A receiver takes packets whatever their checksum is. */
    CRC_NOT_CHECKED,
    /** The object gets its name before VERIFIED is journaled. */
    RENAME_BEFORE_VERIFIED,
    /** Some acks get lost, and with them the credit that they return. */
    ACKS_LOST,
    /** The sender is not told that a stream died. */
    STREAM_LOSS_UNSEEN,
    /** The first stream that a dying peer closes is taken for the loss of a stream alone. */
    DYING_PEER_TAKEN_FOR_ALIVE,
    /** The far end reads whatever stands at the name, also if it is another version than was asked for. */
    READ_MIXES_VERSIONS(ScheduleKind.EDGES),
    /** Sessions have no epoch: what comes of a node's older one is taken for its new one's. */
    OLD_SESSION_NOT_FENCED,
    /** A transfer is taken for a repetition if one of its name has been delivered. */
    DEDUPE_BY_NAME,
    /** VERIFIED is journaled before the landing file's name is durable. */
    VERIFIED_BEFORE_FORCE,
    /** A broker's removal of a subscription is answered before it is durable. */
    REMOVAL_ANSWERED_BEFORE_FORCE(ScheduleKind.REMOVALS),
    /** The log acks without a force. */
    LOG_NOT_FORCED,
    /** A new segment's directory is not forced. */
    LOG_DIRECTORY_NOT_FORCED,
    /** The log's recovery cuts two blocks off what is whole. */
    LOG_TAIL_CUT_TOO_FAR,
    /** The log's recovery believes what the page cache shows after a failed force. */
    LOG_CACHE_TRUSTED,
    /** A process that was stopped for longer than its peer waits does not notice that the session is over. */
    WOKEN_BELIEVES_ITS_SESSION(ScheduleKind.STOPS),
    /** A node may cancel another's transfer by its key. */
    CANCEL_WITHOUT_RIGHT(ScheduleKind.HOSTILE),
    /** The CANCEL of a transfer that nobody knows becomes a record. */
    UNKNOWN_CANCEL_RECORDED(ScheduleKind.HOSTILE),
    /** A node may acknowledge a receipt that is for another. */
    FOREIGN_RECEIPT_ACKED(ScheduleKind.HOSTILE),
    /** A receipt is kept whether or not the subscription was owed the transfer. */
    UNOWED_RECEIPT_KEPT(ScheduleKind.HOSTILE),
    /** Whoever asks for a subscription whose consumer is away gets it. */
    SUBSCRIPTION_TAKEN_OVER(ScheduleKind.HOSTILE),
    /** OPEN is recorded before the right to publish is looked at. */
    OPEN_BEFORE_RIGHT(ScheduleKind.HOSTILE),
    /** Packets of a transfer that is never announced stay in memory. */
    EARLY_PACKETS_KEPT(ScheduleKind.HOSTILE),
    /** A transfer is owed to subscriptions of other topics. */
    UNOWED_DELIVERY(ScheduleKind.HOSTILE),
    /** After a restart a consumer believes its journal about fragments, and does not look at their bytes. */
    REVERIFICATION_SKIPPED(ScheduleKind.HOSTILE),
    /** What a subscription is owed is overdue, whatever its deadline. */
    EXPIRED_TOO_EARLY(ScheduleKind.TERMS),
    /** A member of a group may deliver a transfer before that is durable. */
    PERMIT_BEFORE_FORCE(ScheduleKind.GROUPS),
    /** The broker calls a transfer cancelled without a word of the consumer that may have it. */
    CANCELLED_UNASKED(ScheduleKind.CANCELS),
    /** A publisher answers a cancel before it is durable. */
    CANCEL_ANSWERED_BEFORE_FORCE(ScheduleKind.CANCELS);

    private final ScheduleKind kind;

    PlantedBug() {
        this(ScheduleKind.FILES);
    }

    PlantedBug(ScheduleKind kind) {
        this.kind = kind;
    }

    /** The kind of schedules that is to find it. */
    public ScheduleKind kind() {
        return kind;
    }
}
