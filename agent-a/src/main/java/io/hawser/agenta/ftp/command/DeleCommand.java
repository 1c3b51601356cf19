package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.Namespace;
import io.hawser.agenta.ftp.NamespaceChange;
import io.hawser.agenta.ftp.NamespaceSubject;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code DELE <SP> <pathname>}, RFC 959 section 4.1.3. Removes a file, see {@link NamespaceChange}. An upload of this account that broke
 * off is dropped with it.
 */
final class DeleCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("DELE");
    }

    @Override
    public String syntax() {
        return "file";
    }

    @Override
    public Permission permission() {
        return Permission.DELETE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        NamespaceSubject.resolve(session, argument).ifPresent(path -> delete(session, path));
    }

    private static void delete(FtpSession session, FtpPath path) {
        Namespace.Place place = session.server().namespace().place(path).orElseThrow();
        if (dropIncomplete(session, place)
                && session.server().heldNames().accepted(place).isEmpty()) {
            deleted(session, path);
            return;
        }
        NamespaceSubject.find(session, path, subject -> {
            if (subject.directory()) {
                NamespaceSubject.refuse(session, path, "Is a directory");
            } else {
                NamespaceChange.send(session, subject, TransferKind.DELETE, Map.of(), () -> deleted(session, path));
            }
        });
    }

    private static void deleted(FtpSession session, FtpPath path) {
        session.reply(FtpReply.about(ReplyCode.FILE_ACTION_OK, path, "Deleted."));
    }

    private static boolean dropIncomplete(FtpSession session, Namespace.Place place) {
        Spool spool = session.server().spool();
        Optional<TransferKey> incomplete = spool.findIncomplete(session.account(), place.topic(), place.name())
                .map(TransferState::key);
        return incomplete.isPresent()
                && !spool.cancel(incomplete.get(), "Deleted by its client").isRefused();
    }
}
