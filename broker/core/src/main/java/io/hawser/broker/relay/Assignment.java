package io.hawser.broker.relay;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * A committed transfer that a group is owed, and the member that it is assigned to.
 *
 * <pre>
 *   WAITING ──has room──► AT A MEMBER ──all of it is durable there, its turn──► PERMITTED ──final receipt──► done
 *      ▲                      │                                                    │
 *      └── away for too long, ┘                                                    │
 *      │   or has no room                                                          │
 *      └── the operator declares the member lost ──────────────────────────────────┘
 * </pre>
 *
 * <p>Thread: the relay's loop.
 */
final class Assignment {
    final Manifest manifest;
    final Commit commit;
    final long sequence;

    /** Who gets it, if somebody has been chosen. */
    @Nullable
    GroupMember at;

    /** The only node that may deliver it; durable. */
    @Nullable
    NodeId permit;

    /** A permit for the member that it is at is being made durable. */
    boolean permitting;

    /** The member has said that the whole of it is durable there. */
    boolean landed;

    Assignment(Manifest manifest, Commit commit, long sequence) {
        this.manifest = manifest;
        this.commit = commit;
        this.sequence = sequence;
    }

    TransferKey key() {
        return manifest.key();
    }

    /** Who alone may deliver it, also while that is being made durable; null if nobody yet. */
    @Nullable
    NodeId pinnedTo() {
        GroupMember member = at;
        return permitting && member != null ? member.node() : permit;
    }

    /** Whether somebody may have delivered it: nobody else gets it then. */
    boolean isPinned() {
        return permitting || permit != null;
    }

    long bytes() {
        return commit.sizeBytes();
    }
}
