package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.Namespace;
import io.hawser.agenta.ftp.Refusals;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Attributes;
import io.hawser.common.model.TransferKey;
import io.hawser.common.model.TransferKind;
import io.hawser.common.spool.UploadRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code MKD <SP> <pathname>}, RFC 959 section 4.1.3 and appendix II. The directory is a transfer of its own, so that it arrives
 * even if it stays empty; the reply comes when that is durable in the spool. A topic's own directory needs no making.
 */
final class MkdCommand implements FtpCommand {
    /** Makes a directory that the namespace has a place for; {@code made} replies, or the refusal has been sent. */
    static void make(FtpSession session, FtpPath path, Runnable made) {
        if (isAlwaysThere(session, path)) {
            session.server().knownDirectories().add(path);
            made.run();
            return;
        }
        Namespace.Place place = session.server().namespace().place(path).orElseThrow();
        UploadRequest request = new UploadRequest(
                place.topic(),
                TransferKind.MAKE_DIRECTORY,
                place.name(),
                List.of(place.name()),
                0,
                session.server().fragmentSizeBytes(),
                Map.of(Attributes.ACCOUNT, session.account()));
        Outcome<TransferKey> sent = session.server().spool().sendSmall(request, ByteBuffer.allocate(0), durable -> {
            Refusal refusal = durable.refusal();
            if (refusal == null) {
                session.server().knownDirectories().add(path);
                session.server().changed(path);
                session.ifOpen(made);
            } else {
                session.ifOpen(() -> session.reply(Refusals.reply(path, refusal)));
            }
        });
        if (sent.refusal() != null) {
            session.reply(Refusals.reply(path, sent.refusal()));
        }
    }

    /** The root and the topics' directories. */
    static boolean isAlwaysThere(FtpSession session, FtpPath path) {
        return path.isRoot()
                || session.server()
                        .namespace()
                        .place(path)
                        .map(Namespace.Place::isTopic)
                        .orElse(false);
    }

    private static boolean isFile(FtpSession session, FtpPath path) {
        return session.server().heldNames().findTransferred(path).isPresent();
    }

    @Override
    public List<String> verbs() {
        return List.of("MKD", "XMKD");
    }

    @Override
    public String syntax() {
        return "directory";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        Optional<FtpPath> resolved = session.resolve(argument);
        if (resolved.isEmpty()) {
            return;
        }
        FtpPath path = resolved.get();
        Namespace namespace = session.server().namespace();
        if (path.isRoot() || session.server().knownDirectories().contains(path) || isFile(session, path)) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, "File exists"));
        } else if (namespace.place(path).isEmpty()) {
            session.reply(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, namespace.whyNowhere(path)));
        } else {
            make(session, path, () -> session.reply(QuotedPath.reply(path, "created.")));
        }
    }
}
