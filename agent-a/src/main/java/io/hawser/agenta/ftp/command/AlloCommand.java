package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code ALLO <SP> <decimal-integer> [<SP> R <SP> <decimal-integer>]}, RFC 959 section 4.1.3. Space for that
 * is kept for the next upload, which is refused at once if there is none. An upload of exactly that size needs no further evidence that it is complete.
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
    public void execute(FtpSession session, String argument) {
        OptionalLong bytes = Numbers.parse(argument.strip().split(" ", 2)[0]);
        if (bytes.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "ALLO needs a number of bytes."));
        } else {
            session.settings().announce(bytes.getAsLong());
            session.reply(FtpReply.of(ReplyCode.OK, "OK."));
        }
    }
}
