package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarFtpClient;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.agentb.deliver.ftp.FarTimeCommands;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPReply;

/**
 * Stats a name: by MLST where the server has it (RFC 3659 §7), otherwise by SIZE and MDTM, and by CWD for a directory.
 *
 * <p>Thread: the session's.
 */
final class FarStat {
    private static final int FIRST_NOT_ASCII = 0x80;
    private static final int NOT_KNOWN_AS_COMMAND = 504;
    private static final Pattern NUMBER = Pattern.compile("213[ -]+([0-9]{1,18})\\s*");

    private FarStat() {}

    /** What is at a name. Throws {@link NotServedException} if there is nothing. */
    static RemoteFile at(FarSession session, String name) throws IOException {
        String path = FarName.path(session, name);
        if (session.client().hasFeature("MLST")) {
            return byMlst(session.client(), path, FarName.last(name)).remoteFile();
        }
        return bySize(session, path, name).remoteFile();
    }

    /** The file at a name. Throws {@link NotServedException} for a directory, or for another version. */
    static RemoteFile file(FarSession session, String name, String fingerprint) throws IOException {
        RemoteFile file = at(session, name);
        if (file.isDirectory()) {
            throw new NotServedException(ErrorCode.IS_DIRECTORY, "Is a directory");
        }
        if (!fingerprint.isEmpty() && !fingerprint.equals(file.fingerprint())) {
            throw NotServedException.changed();
        }
        return file;
    }

    private static FarEntry byMlst(FarFtpClient client, String path, String name) throws IOException {
        int code = client.sendCommand("MLST", path);
        if (!FTPReply.isPositiveCompletion(code)) {
            throw FarRefusals.notServed(
                    new FarRefusedException("MLST", code, client.getReplyString()), ErrorCode.NOT_FOUND);
        }
        for (String line : client.getReplyStrings()) {
            FTPFile found = line.startsWith(" ") ? ListingLines.facts(line.substring(1)) : null;
            if (found != null) {
                FarEntry entry = FarEntry.of(name, found);
                // globus-gridftp-server silently drops characters that are not ASCII, and shows another file.
                boolean isOther = name.chars().anyMatch(c -> c >= FIRST_NOT_ASCII)
                        && !FarName.last(found.getName()).equals(name);
                if (entry.kind() == null || isOther) {
                    throw NotServedException.notFound(); // a device or the like
                }
                return entry;
            }
        }
        throw new IOException("the reply to MLST has no line of facts");
    }

    private static FarEntry bySize(FarSession session, String path, String name) throws IOException {
        FarFtpClient client = session.client();
        int code = name.isEmpty() ? 0 : client.sendCommand("SIZE", path);
        FarRefusedException refused = new FarRefusedException("SIZE", code, client.getReplyString());
        Matcher size = NUMBER.matcher(client.getReplyString());
        if (code == FTPReply.FILE_STATUS && size.matches()) {
            return FarEntry.file(
                    FarName.last(name), Long.parseLong(size.group(1)), FarTimeCommands.modified(client, path));
        }
        if (FTPReply.isPositiveCompletion(client.sendCommand("CWD", path))) {
            return FarEntry.directory(FarName.last(name));
        }
        if (code >= FTPReply.UNRECOGNIZED_COMMAND && code <= NOT_KNOWN_AS_COMMAND) {
            return inListing(session, name);
        }
        throw FarRefusals.notServed(refused, ErrorCode.NOT_FOUND);
    }

    /** For a server that does not know SIZE. */
    private static FarEntry inListing(FarSession session, String name) throws IOException {
        return FarListing.find(session, FarName.parent(name), FarName.last(name))
                .orElseThrow(NotServedException::notFound);
    }
}
