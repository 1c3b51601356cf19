package io.hawser.agenta.http;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.ObstacleSearch;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.ops.http.RequestHead;
import io.hawser.store.spool.Upload;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Opens an upload for PUT. Everything that can refuse it is asked before a byte of the body is read: the right, the name, the client's
 * conditions, space.
 *
 * <p>Thread: the loop.
 */
final class UploadStart {
    private final ClientRequest request;
    private final NamespaceService names;

    UploadStart(ClientRequest request) {
        this.request = request;
        this.names = request.names();
    }

    void begin() {
        if (!request.require(Permission.WRITE)) {
            return;
        }
        RequestHead head = request.head();
        FtpPath path = request.path();
        Optional<Namespace.Place> place = names.place(path);
        if (head.header("Content-Length").isEmpty() && head.bodyBytes() != RequestHead.CHUNKED) {
            request.refuse(411, "say how long the file is (Content-Length), or send it in chunks");
        } else if (head.header("Content-Range").isPresent()) {
            request.refuse(400, "a PUT is a whole file here; without Content-Range it replaces what is there");
        } else if (head.header("Content-Encoding")
                .filter(coding -> !coding.equalsIgnoreCase("identity"))
                .isPresent()) {
            request.refuse(415, "files are stored as they come; send this one without Content-Encoding");
        } else if (place.isEmpty()) {
            request.refuse(409, names.namespace().whyNowhere(path));
        } else if (request.namesDirectory() || place.get().isTopic() || isDirectoryOnItsWay()) {
            request.refuse(RequestFailure.conflict(RequestFailure.IS_DIRECTORY));
        } else {
            unlessDirectory(() -> unlessObstacle(place.get()));
        }
    }

    private boolean isDirectoryOnItsWay() {
        return request.account().seesNames()
                && names.pending()
                        .findTransferred(request.path())
                        .map(PathFacts::directory)
                        .orElse(false);
    }

    /** The far end is asked for a directory only where one was made through this server: for each upload that would cost a round trip. */
    private void unlessDirectory(Runnable free) {
        FtpPath path = request.path();
        if (!request.account().seesNames() || !names.created().contains(path)) {
            free.run();
            return;
        }
        names.paths()
                .findUnlessAway(
                        path,
                        request.account().name(),
                        found -> {
                            if (found.facts().directory()) {
                                request.refuse(RequestFailure.conflict(RequestFailure.IS_DIRECTORY));
                            } else {
                                names.created().remove(path);
                                free.run();
                            }
                        },
                        (why, failure) -> {
                            if (why == ErrorCode.NOT_FOUND) {
                                names.created().remove(path);
                            }
                            free.run();
                        });
    }

    private void unlessObstacle(Namespace.Place place) {
        String unusable = ObstacleSearch.unusable(place);
        if (!unusable.isEmpty()) {
            request.refuse(409, unusable);
        } else if (!request.account().seesNames()) {
            whenConditionsHold(place);
        } else {
            names.obstacles().above(place, true, obstacle -> {
                if (obstacle.isEmpty()) {
                    whenConditionsHold(place);
                } else {
                    request.refuse(409, obstacle);
                }
            });
        }
    }

    private void whenConditionsHold(Namespace.Place place) {
        new UploadConditions(request, place).check(conditions -> open(place, conditions));
    }

    private void open(Namespace.Place place, UploadConditions conditions) {
        if (!request.isOpen()) {
            conditions.release();
            return; // the client is gone
        }
        long bytes = request.head().bodyBytes();
        OptionalLong announced = bytes == RequestHead.CHUNKED ? OptionalLong.empty() : OptionalLong.of(bytes);
        Outcome<Upload> begun =
                request.services().files().uploads().begin(request.requester(), place, announced, false);
        if (begun.refusal() != null) {
            conditions.release();
            request.refuse(RequestFailure.of(begun.refusal()));
            return;
        }
        UploadObstacleCheck target = UploadObstacleCheck.begin(names, request.account(), place);
        new FileUpload(request, begun.get(), target, conditions).begin();
    }
}
