package io.hawser.agenta.namespace;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyProgress;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.UploadRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of a name, time or mode, as a durable transfer: sent, and followed until it has come as far as its client must know.
 *
 * <p>What is on its way from here is known here: the change queues after it (Order by path) and is done when it has reached the custody
 * level; with {@code spooled} that needs no far end. For anything else the far end has to answer how the change ended. What is durable
 * here is not taken back.
 *
 * <p>Thread: the loop.
 */
public final class NamespaceChange {
    private final NamespaceService names;
    private final Account account;
    private final ChangedPath subject;
    private final UploadRequest request;
    private final Terms terms;
    private final Listener listener;
    private Optional<TransferKey> key = Optional.empty();
    private Runnable observed = () -> {};
    private boolean over;

    /**
     * When a change is done.
     *
     * @param level how far it must come
     * @param completion how many far ends count
     */
    public record Terms(CustodyLevel level, CompletionRule completion) {}

    /** What the front hears: {@link #waits} at most once, then one of the others. */
    public interface Listener {
        /** It is durable here as {@code transfer} and has not come far enough; the front may stop listening. */
        void waits(TransferKey transfer);

        /** It has come far enough. */
        void done();

        /** It has left this node, and nobody here learns how far it comes. */
        void notFollowed();

        void refused(RequestFailure failure);
    }

    private NamespaceChange(
            NamespaceService names,
            Account account,
            ChangedPath subject,
            UploadRequest request,
            Terms terms,
            Listener listener) {
        this.names = names;
        this.account = account;
        this.subject = subject;
        this.request = request;
        this.terms = terms;
        this.listener = listener;
    }

    public static NamespaceChange send(
            NamespaceService names,
            Requester requester,
            ChangedPath subject,
            Change change,
            Terms terms,
            Listener listener) {
        Map<String, String> attributes = new HashMap<>(change.attributes());
        attributes.put(Attributes.ACCOUNT, requester.account().name());
        List<String> paths = new ArrayList<>(List.of(subject.place().name()));
        paths.addAll(change.targets());
        UploadRequest request = new UploadRequest(
                subject.place().topic(),
                change.kind(),
                subject.place().name(),
                paths,
                0,
                names.fragmentSizeBytes(),
                attributes,
                UploadRequest.Keyed.NONE);
        NamespaceChange sent = new NamespaceChange(
                names, requester.account(), subject, requester.delegation().apply(request), terms, listener);
        sent.send();
        return sent;
    }

    /**
     * What is changed.
     *
     * @param targets the other names that it touches, in the subject's topic
     * @param attributes its parameters
     */
    public record Change(TransferKind kind, List<String> targets, Map<String, String> attributes) {
        public static Change of(TransferKind kind, Map<String, String> attributes) {
            return new Change(kind, List.of(), attributes);
        }

        /** A new name in the subject's topic. */
        public static Change rename(String target) {
            return new Change(TransferKind.RENAME, List.of(target), Map.of(Attributes.RENAMED_TO, target));
        }
    }

    private void send() {
        Outcome<TransferKey> sent = names.spool().sendSmall(request, ByteBuffer.allocate(0), durable -> {
            Refusal refusal = durable.refusal();
            names.changed(request.topic(), request.paths());
            if (changesNames()) {
                names.unsettled().settled(request.topic(), request.paths());
            }
            if (refusal != null) {
                refuse(RequestFailure.of(refusal));
            } else if (terms.level() == CustodyLevel.SPOOLED) {
                succeed();
            } else {
                await(key.orElseThrow());
            }
        });
        Refusal refusal = sent.refusal();
        if (refusal != null) {
            refuse(RequestFailure.of(refusal));
        } else {
            key = Optional.of(sent.get()); // before the callback, which comes a turn of the loop later
            if (changesNames()) {
                names.unsettled().accepted(request.topic(), request.paths());
            }
            if (request.kind() == TransferKind.MAKE_DIRECTORY) {
                names.created().isBeingMade(subject.path(), names.spool(), sent.get());
            }
        }
    }

    private boolean changesNames() {
        return switch (request.kind()) {
            case MAKE_DIRECTORY, DELETE, REMOVE_DIRECTORY, RENAME -> true;
            case FILE, PATCH, SET_TIME, SET_MODE, MESSAGE -> false;
        };
    }

    private void await(TransferKey sent) {
        listener.waits(sent);
        if (!over) {
            observed = names.spool().observe(sent, this::heard);
        }
    }

    /** The front no longer listens. The change is made all the same. */
    public void leave() {
        over = true;
        observed.run();
    }

    private void heard(TransferSnapshot state) {
        CustodyProgress custody = CustodyProgress.of(state, terms.completion());
        if (custody.has(terms.level())) {
            succeed();
            return;
        }
        Refusal refusal = state.refusal();
        Optional<Receipt> failed = state.receipts().stream()
                .filter(receipt ->
                        receipt.status() != ReceiptStatus.LANDED && receipt.status() != ReceiptStatus.DELIVERED)
                .findFirst();
        if (failed.isPresent() && custody.failure().or(custody::dead).isPresent()) {
            refuse(ChangedPathFinder.visibleTo(
                    account, RequestFailure.conflict(failed.get().reason())));
        } else if (state.phase() == SpoolPhase.FINISHED) {
            stopFollowing();
        } else if (refusal != null && state.lacksRight()) {
            refuse(RequestFailure.of(refusal));
            var unused = names.spool().cancel(state.key(), refusal.detail()); // nobody expects it any more
        } else if (state.phase().isFinal()) {
            refuse(RequestFailure.of(refusal != null ? refusal : new Refusal(ErrorCode.CANCELLED, "it was cancelled")));
        }
    }

    private void succeed() {
        if (!over) {
            leave();
            names.used(request.topic());
            listener.done();
        }
    }

    private void stopFollowing() {
        if (!over) {
            leave();
            listener.notFollowed();
        }
    }

    private void refuse(RequestFailure failure) {
        if (!over) {
            leave();
            listener.refused(failure);
        }
    }
}
