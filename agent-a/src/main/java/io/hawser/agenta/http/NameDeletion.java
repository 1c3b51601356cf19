package io.hawser.agenta.http;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceChange.Change;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.UndeliveredUploads;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * DELETE of a file or of an empty directory. An upload of this account that broke off is dropped first; uploads of it that no far end has
 * delivered are cancelled.
 *
 * <p>Thread: the loop.
 */
final class NameDeletion {
    private static final int DELETED = 204;

    private final ClientRequest request;
    private final NamespaceService names;
    private final Place place;

    private NameDeletion(ClientRequest request, Place place) {
        this.request = request;
        this.names = request.names();
        this.place = place;
    }

    static void begin(ClientRequest request) {
        if (!request.require(Permission.DELETE)) {
            return;
        }
        Optional<Place> place = request.names().place(request.path());
        if (request.path().isRoot() || place.map(Place::isTopic).orElse(false)) {
            request.refuse(403, "Operation not permitted");
        } else if (place.isEmpty()) {
            request.refuse(RequestFailure.notFound());
        } else {
            new NameDeletion(request, place.get()).dropIncomplete();
        }
    }

    private void dropIncomplete() {
        Optional<TransferKey> incomplete = names.spool()
                .findIncomplete(request.account().name(), place.topic(), place.name())
                .map(TransferSnapshot::key);
        if (incomplete.isEmpty()) {
            delete(request::refuse);
            return;
        }
        Outcome<TransferKey> begun = names.spool()
                .cancel(incomplete.get(), "Deleted by its client", outcome -> onDropped(outcome.refusal()));
        if (begun.isRefused()) {
            delete(request::refuse);
        }
    }

    /** An older file may have the name too. */
    private void onDropped(@Nullable Refusal refusal) {
        if (refusal != null) {
            request.refuse(RequestFailure.of(refusal));
        } else {
            delete(this::notDeletedToo);
        }
    }

    /** The upload is dropped. An account that may not know what exists is told the same whatever else has the name. */
    private void notDeletedToo(RequestFailure failure) {
        boolean nothingIsTold = !request.account().seesNames() && failure.reason() == RequestFailure.Reason.DENIED;
        if (nothingIsTold || failure.isOfApplication() || failure.reason() == RequestFailure.Reason.NOT_FOUND) {
            request.respond(ClientRequest.text(DELETED), "");
        } else {
            request.refuse(
                    new RequestFailure(failure.reason(), failure.words() + "; the upload that broke off is dropped"));
        }
    }

    private void delete(Consumer<RequestFailure> refused) {
        search(
                        subject -> {
                            if (subject.directory()) {
                                removeDirectory(subject);
                            } else if (request.namesDirectory()) {
                                refused.accept(ChangedPathFinder.visibleTo(
                                        request.account(), RequestFailure.conflict(RequestFailure.NOT_DIRECTORY)));
                            } else if (subject.onItsWay()) {
                                cancelAndDelete(subject);
                            } else {
                                send(subject, TransferKind.DELETE, Map.of(), () -> {});
                            }
                        },
                        refused)
                .find();
    }

    private ChangedPathFinder search(Consumer<ChangedPath> found, Consumer<RequestFailure> refused) {
        return new ChangedPathFinder(
                names,
                request.account(),
                request.path(),
                subject -> {
                    if (request.isOpen()) {
                        found.accept(subject);
                    }
                },
                refused);
    }

    private void cancelAndDelete(ChangedPath subject) {
        boolean cancels =
                new UndeliveredUploads(names.spool(), request.account().name(), place).cancel("deleted by its client");
        send(subject, TransferKind.DELETE, cancels ? Map.of(Attributes.IF_EXISTS, Attributes.YES) : Map.of(), () -> {});
    }

    /** Of a directory on its way the far end is asked first, unless it is known to be new: it may have been there before, with files in it. */
    private void removeDirectory(ChangedPath subject) {
        if (!subject.onItsWay() || !isEmptyHere()) {
            removeEmpty(subject);
            return;
        }
        search(
                        checked -> {
                            if (checked.lastTouch() == subject.lastTouch()) {
                                removeEmpty(checked);
                            } else {
                                delete(request::refuse);
                            }
                        },
                        request::refuse)
                .checkEmpty(subject);
    }

    private boolean isEmptyHere() {
        return names.pending().listAccepted(request.path()).isEmpty() && !names.isUnsettledBelow(place);
    }

    private void removeEmpty(ChangedPath subject) {
        if (!isEmptyHere()) {
            NameChange.refuse(request, "Directory not empty");
        } else {
            send(subject, TransferKind.REMOVE_DIRECTORY, Map.of(), () -> names.created()
                    .remove(request.path()));
        }
    }

    private void send(ChangedPath subject, TransferKind kind, Map<String, String> attributes, Runnable done) {
        NameChange.send(request, subject, Change.of(kind, attributes), DELETED, done);
    }
}
