package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.Refusals;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code ALLO <SP> <decimal-integer> [<SP> R <SP> <decimal-integer>]}, RFC 959 section 4.1.3. Space for that
 * is kept for the next upload. If there is none, ALLO says so, and the upload that comes all the same is refused at once. An
 * upload of exactly that size needs no further evidence that it is complete.
 */
final class AlloCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("ALLO");
    }

    @Override
    public String syntax() {
        return "bytes";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        OptionalLong bytes = Numbers.parse(argument.strip().split(" ", 2)[0]);
        if (bytes.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "ALLO needs a number of bytes."));
        } else {
            session.settings().announce(bytes.getAsLong());
            session.reply(session.server()
                    .spool()
                    .refusalFor(bytes.getAsLong())
                    .map(refusal -> Refusals.reply("ALLO", refusal))
                    .orElseGet(() -> FtpReply.of(ReplyCode.OK, "OK.")));
        }
    }
}
