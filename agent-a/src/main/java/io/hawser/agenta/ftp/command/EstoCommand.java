package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.UploadOpening;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code ESTO <SP> A <SP> <offset> <SP> <pathname>}, GFD.20 section 4.2: STOR of bytes that belong at an offset. It goes on with
 * an upload that broke off (from 0 it takes its place); otherwise it changes the file at the far end from there on as far as the
 * bytes reach, or makes one, which may begin with a hole. What is behind the bytes stays, as with the Globus server, also from 0 on.
 */
final class EstoCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("ESTO");
    }

    @Override
    public String syntax() {
        return "A offset file";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.stripLeading().split(" +", 3);
        if (!words[0].equalsIgnoreCase("A")) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only ESTO A is offered."));
            return;
        }
        OptionalLong offset = words.length == 3 ? Numbers.parse(words[1]) : OptionalLong.empty();
        if (offset.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "ESTO A needs an offset and a path."));
        } else {
            UploadOpening.storeAt(session, offset.getAsLong(), words[2]);
        }
    }
}
