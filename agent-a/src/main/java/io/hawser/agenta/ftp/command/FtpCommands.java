package io.hawser.agenta.ftp.command;

import static io.hawser.agenta.account.Permission.DELETE;
import static io.hawser.agenta.account.Permission.LIST;
import static io.hawser.agenta.account.Permission.READ;
import static io.hawser.agenta.account.Permission.WRITE;
import static io.hawser.agenta.ftp.session.CommandDefinition.Access.BEFORE_LOGIN;
import static io.hawser.agenta.ftp.session.CommandDefinition.Access.BEFORE_SECURITY;
import static io.hawser.agenta.ftp.session.CommandDefinition.Offer.WITH_GSI;
import static io.hawser.agenta.ftp.session.CommandDefinition.Offer.WITH_TLS;
import static io.hawser.agenta.ftp.session.CommandDefinition.Offer.WITH_TLS_OR_GSI;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.download.DownloadStarter;
import io.hawser.agenta.ftp.session.CommandDefinition;
import io.hawser.agenta.ftp.session.CommandTable;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.ftp.upload.UploadStarter;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.List;
import java.util.function.BiConsumer;

/** The table of commands. {@code docs/reference/standards.md} says which RFC each comes from and how much of it is offered. */
public final class FtpCommands {
    /** In the order of FEAT. */
    private static final List<CommandDefinition> ROWS = List.of(
            row("AUTH", "TLS|GSSAPI", SecurityCommands::auth)
                    .allowed(BEFORE_SECURITY)
                    .offered(WITH_TLS_OR_GSI)
                    .inFeat(SecurityCommands::authFeature),
            row("DCAU", "N|A|S subject", SecurityCommands::dcau)
                    .inFeat(session -> session.gsi().isOffered() ? "DCAU" : ""),
            row("PBSZ", "0", SecurityCommands::pbsz)
                    .allowed(BEFORE_LOGIN)
                    .offered(WITH_TLS_OR_GSI)
                    .inFeat(session -> SecurityCommands.authFeature(session).isEmpty() ? "" : "PBSZ"),
            row("PROT", "C|S|P", SecurityCommands::prot)
                    .allowed(BEFORE_LOGIN)
                    .offered(WITH_TLS_OR_GSI)
                    .inFeat(session -> SecurityCommands.authFeature(session).isEmpty() ? "" : "PROT"),
            row("ADAT", "base64", SecurityCommands::adat)
                    .allowed(BEFORE_SECURITY)
                    .offered(WITH_GSI),
            row("CCC", "", SecurityCommands::ccc).offered(WITH_TLS),
            row("USER", "name", LoginCommands::user).allowed(BEFORE_LOGIN),
            row("PASS", "password", LoginCommands::pass).allowed(BEFORE_LOGIN),
            row("REIN", "", LoginCommands::rein).allowed(BEFORE_LOGIN),
            row(
                    "ACCT",
                    "account",
                    (session, argument) -> // nothing depends on it
                    session.reply(ReplyCode.SUPERFLUOUS, "No account is needed.")),
            // A transfer that runs comes to its end first.
            row("QUIT", "", (session, argument) -> session.replyAndClose(ReplyCode.CLOSING, "Goodbye."))
                    .allowed(BEFORE_SECURITY),
            // Clients decide by it how to read LIST, which looks like ls -l.
            row("SYST", "", (session, argument) -> session.reply(ReplyCode.SYSTEM_TYPE, "UNIX Type: L8"))
                    .allowed(BEFORE_LOGIN),
            row("NOOP", "", (session, argument) -> session.reply(ReplyCode.OK, "OK."))
                    .allowed(BEFORE_LOGIN),
            row("CLNT", "name", SettingCommands::clnt).allowed(BEFORE_LOGIN),
            row("HELP", "[command]", HelpCommands::help).allowed(BEFORE_LOGIN),
            row("TYPE", "A|I|L 8", SettingCommands::type),
            row("MODE", "S|E", SettingCommands::mode),
            row("STRU", "F", SettingCommands::stru),
            row(
                            "PWD",
                            "",
                            (session, argument) -> session.reply(FtpReply.quoting(
                                    ReplyCode.PATH_NAME, session.workingDirectory(), "is the current directory.")))
                    .alias("XPWD"),
            row("CWD", "directory", ofPath(CwdCommand::cwd)).alias("XCWD"),
            row("CDUP", "", CwdCommand::cdup).alias("XCUP"),
            row("MKD", "directory", ofPath(MkdCommand::mkd)).alias("XMKD").needs(WRITE),
            row("RMD", "directory", ChangeCommands::rmd).alias("XRMD").needs(DELETE),
            row("DELE", "file", ChangeCommands::dele).needs(DELETE),
            row("RNFR", "path", ChangeCommands::rnfr).needs(WRITE),
            row("RNTO", "path", ChangeCommands::rnto).needs(WRITE),
            row("STOR", "file", UploadStarter::store).needs(WRITE),
            row("STOU", "", TransferCommands::stou).needs(WRITE),
            row("APPE", "file", UploadStarter::append).needs(WRITE),
            row("RETR", "file", DownloadStarter::retrieve).needs(READ),
            row("ALLO", "bytes", SettingCommands::allo).needs(WRITE),
            row("PORT", "h1,h2,h3,h4,p1,p2", DataPortCommands::port),
            row("MLSD", "[path]", QueryCommands::mlsd).needs(LIST),
            row("NLST", "[path]", QueryCommands::nlst).needs(LIST),
            row("LIST", "[path]", QueryCommands::list).needs(LIST),
            row("STAT", "[path]", QueryCommands::stat),
            row("SBUF", "bytes", SettingCommands::sbuf),
            row("SITE", "command [arguments]", SiteCommands::site),
            row("FEAT", "", HelpCommands::feat).allowed(BEFORE_LOGIN),
            // When this runs the transfer has been ended and answered already: the session lets ABOR overtake.
            row("ABOR", "", (session, argument) -> session.reply(ReplyCode.TRANSFER_COMPLETE, "Abort done.")),
            row("CKSM", "algorithm offset length file", ChecksumCommands::cksm)
                    .needs(READ)
                    .inFeat(ChecksumCommands.CKSM_FEATURE),
            row("EPRT", "|1 or 2|address|port|", DataPortCommands::eprt).inFeat("EPRT"),
            row("EPSV", "[1|2|ALL]", DataPortCommands::epsv).inFeat("EPSV"),
            row("ERET", "P offset length file", TransferCommands::eret)
                    .needs(READ)
                    .inFeat("ERET"),
            row("ESTO", "A offset file", TransferCommands::esto).needs(WRITE).inFeat("ESTO"),
            row("HASH", "file", ChecksumCommands::hash).needs(READ).inFeat(ChecksumCommands::hashFeature),
            row("LANG", "[en]", SettingCommands::lang).allowed(BEFORE_LOGIN).inFeat("LANG EN*"),
            row("MDTM", "[YYYYMMDDhhmmss] file", QueryCommands::mdtm)
                    .needs(LIST)
                    .inFeat("MDTM"),
            row("MFMT", ChangeCommands.MFMT_SYNTAX, ChangeCommands::mfmt)
                    .needs(WRITE)
                    .inFeat("MFMT"),
            row("MLST", "[path]", QueryCommands::mlst).needs(LIST).inFeat(session -> MlstFacts.of(session)
                    .feature()),
            row("OPTS", "command [options]", SettingCommands::opts)
                    .allowed(BEFORE_LOGIN)
                    .inFeat("PARALLEL"),
            row("PASV", "", DataPortCommands::pasv).inFeat("PASV AllowDelayed;"),
            row("RANG", "first last", SettingCommands::rang).inFeat("RANG STREAM"),
            row("REST", "position|ranges", SettingCommands::rest).inFeat("REST STREAM"),
            row("SIZE", "file", ofPath(QueryCommands::size)).needs(LIST).inFeat("SIZE"),
            row("SPAS", "", DataPortCommands::spas).inFeat("SPAS"),
            row("SPOR", "h1,h2,h3,h4,p1,p2 ...", DataPortCommands::spor).inFeat("SPOR"),
            CommandDefinition.feature("TVFS"),
            CommandDefinition.feature("UTF8"),
            checksum("XCRC", ChecksumAlgorithm.CRC32),
            checksum("XMD5", ChecksumAlgorithm.MD5),
            checksum("XSHA1", ChecksumAlgorithm.SHA1),
            checksum("XSHA256", ChecksumAlgorithm.SHA256),
            checksum("XSHA512", ChecksumAlgorithm.SHA512));

    /** Verbs of the RFCs and of GridFTP that are answered 502. */
    private static final List<String> NOT_OFFERED = List.of("CONF", "ENC", "MIC", "SMNT");

    private FtpCommands() {}

    private static CommandDefinition row(String verb, String syntax, CommandDefinition.Handler handler) {
        return CommandDefinition.of(verb, syntax, handler);
    }

    private static CommandDefinition.Handler ofPath(BiConsumer<FtpSession, FtpPath> handler) {
        return (session, argument) -> session.resolve(argument).ifPresent(path -> handler.accept(session, path));
    }

    private static CommandDefinition checksum(String verb, ChecksumAlgorithm algorithm) {
        return row(
                        verb,
                        "file [start [end]]",
                        (session, argument) -> ChecksumCommands.xhash(session, algorithm, argument))
                .needs(READ)
                .inFeat(verb);
    }

    public static CommandTable table() {
        return new CommandTable(ROWS, NOT_OFFERED);
    }
}
