package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.front.NewNames;
import io.hawser.agenta.namespace.AdvertisedSizes;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens a file for writing: a new one, an upload of this account that broke off, or a file that is there, of which a part is written.
 *
 * <p>A client that truncates what is there, as nearly all do, costs no question to the far end.
 *
 * <p>Thread: the loop.
 */
final class UploadOpener {
    private final ClientContext client;
    private final FtpPath path;
    private final OpenFlags flags;
    private final FileAttributes attributes;
    private final Consumer<OpenUpload> opened;
    private final Consumer<RequestFailure> refused;

    UploadOpener(
            ClientContext client,
            FtpPath path,
            OpenFlags flags,
            FileAttributes attributes,
            Consumer<OpenUpload> opened,
            Consumer<RequestFailure> refused) {
        this.client = client;
        this.path = path;
        this.flags = flags;
        this.attributes = attributes;
        this.opened = opened;
        this.refused = refused;
    }

    /** Opens it; one of the two is called, perhaps inside this call. */
    void open() {
        Optional<RequestFailure> denied = client.refusal(Permission.WRITE);
        Optional<Namespace.Place> place = client.names().place(path);
        if (denied.isPresent()) {
            refused.accept(denied.get());
        } else if (path.isRoot() || place.map(Namespace.Place::isTopic).orElse(false) || isDirectoryOnItsWay()) {
            refused.accept(new RequestFailure(Reason.BAD_NAME, RequestFailure.IS_DIRECTORY));
        } else if (place.isEmpty()) {
            refused.accept(new RequestFailure(
                    Reason.BAD_NAME, client.names().namespace().whyNowhere(path)));
        } else {
            unlessDirectory(() -> NewNames.check(client.names(), client.account(), path, true, obstacle -> {
                if (obstacle.isPresent()) {
                    refused.accept(obstacle.get());
                } else {
                    openAt(place.get());
                }
            }));
        }
    }

    private boolean isDirectoryOnItsWay() {
        return client.account().seesNames()
                && client.names()
                        .pending()
                        .findTransferred(path)
                        .map(PathFacts::directory)
                        .orElse(false);
    }

    /** Goes on unless a directory is there that was made through this server, as the far end says if it is heard. */
    private void unlessDirectory(Runnable free) {
        NamespaceService names = client.names();
        if (!client.account().seesNames() || !names.created().contains(path)) {
            free.run();
            return;
        }
        names.paths()
                .findUnlessAway(
                        path,
                        client.account().name(),
                        found -> {
                            if (found.facts().directory()) {
                                refused.accept(new RequestFailure(Reason.BAD_NAME, RequestFailure.IS_DIRECTORY));
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

    private void openAt(Namespace.Place place) {
        Optional<TransferSnapshot> interrupted =
                client.uploads().interrupted(client.account().name(), place);
        if (flags.truncates() && flags.creates() && !flags.exclusive()) {
            beginNew(place);
        } else if (!flags.truncates()
                && !flags.exclusive()
                && interrupted.filter(AdvertisedSizes::isConverted).isPresent()) {
            refused.accept(
                    new RequestFailure(
                            Reason.NOT_CONTINUABLE,
                            "an upload in FTP's TYPE A that broke off cannot be continued; upload the file from its beginning"));
        } else if (flags.creates() && !flags.truncates() && !flags.exclusive()) {
            opened(OpenUpload.undecided(client, path));
        } else if (!flags.truncates() && !flags.exclusive() && interrupted.isPresent()) {
            OpenUpload file = new OpenUpload(client, path, 0);
            file.resume(place);
            opened(file);
        } else if (client.account().seesNames()) {
            client.names()
                    .paths()
                    .findFacts(
                            path,
                            client.account().name(),
                            found -> openFound(place, found.facts()),
                            (why, failure) -> openMissing(place, why, failure));
        } else if (flags.truncates() || flags.exclusive()) {
            beginNew(place);
        } else {
            opened(new OpenUpload(client, path, 0)); // its first write says where it belongs
        }
    }

    private void openFound(Namespace.Place place, PathFacts facts) {
        if (facts.directory()) {
            refused.accept(new RequestFailure(Reason.BAD_NAME, RequestFailure.IS_DIRECTORY));
        } else if (flags.exclusive() && flags.creates()) {
            refused.accept(RequestFailure.conflict("File exists"));
        } else if (flags.truncates() || facts.sizeBytes() == 0) {
            beginNew(place);
        } else {
            opened(new OpenUpload(client, path, facts.sizeBytes()));
        }
    }

    /** What cannot be known now is no obstacle to a file that replaces what is there. */
    private void openMissing(Namespace.Place place, ErrorCode why, RequestFailure failure) {
        boolean isFree = why == ErrorCode.NOT_FOUND;
        if (isFree && !flags.creates()) {
            refused.accept(RequestFailure.notFound());
        } else if (isFree || flags.truncates() || flags.exclusive()) {
            beginNew(place);
        } else {
            refused.accept(failure);
        }
    }

    private void beginNew(Namespace.Place place) {
        OpenUpload file = new OpenUpload(client, path, 0);
        file.beginWhole(place);
        opened(file);
    }

    private void opened(OpenUpload file) {
        if (flags.creates()) {
            file.openedWith(attributes); // sshfs sends a mode of 0 with each file that it does not create
        }
        file.refusal().ifPresentOrElse(refused, () -> opened.accept(file));
    }
}
