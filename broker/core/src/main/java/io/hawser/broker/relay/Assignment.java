package io.hawser.broker.relay;

import io.hawser.core.hop.HopSender;
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

    /** The member that gets it; null while none is chosen. */
    @Nullable
    GroupMember at;

    /** The only node that may deliver it; durable. */
    @Nullable
    NodeId permit;

    /** A permit for the member that it is at is being made durable. */
    boolean permitting;

    /** The member has said that the whole of it is durable there. */
    boolean landed;

    /** Why it is cancelled: it is sent to nobody, and a member that may deliver it is asked; null if it is not. */
    @Nullable
    String recall;

    /** No member gets it until it is released. */
    boolean held;

    int priority = HopSender.USUAL_PRIORITY;

    Assignment(Manifest manifest, Commit commit, long sequence) {
        this.manifest = manifest;
        this.commit = commit;
        this.sequence = sequence;
    }

    TransferKey key() {
        return manifest.key();
    }

    /** The only member that may deliver it, also while the permit is being made durable; null if there is none yet. */
    @Nullable
    NodeId pinnedTo() {
        GroupMember member = at;
        return permitting && member != null ? member.node() : permit;
    }

    /** Whether a member may have delivered it; no other gets it then. */
    boolean isPinned() {
        return permitting || permit != null;
    }

    long bytes() {
        return commit.sizeBytes();
    }
}
