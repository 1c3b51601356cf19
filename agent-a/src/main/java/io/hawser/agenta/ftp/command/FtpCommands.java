package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.CommandTable;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.List;

/** The list of what is offered. */
public final class FtpCommands {
    private static final List<FtpCommand> OFFERED = List.of(
            new UserCommand(),
            new PassCommand(),
            new ReinCommand(),
            new QuitCommand(),
            new SystCommand(),
            new NoopCommand(),
            new FeatCommand(),
            new OptsCommand(),
            new ClntCommand(),
            new HelpCommand(),
            new AuthCommand(),
            new AdatCommand(),
            new PbszCommand(),
            new ProtCommand(),
            new CccCommand(),
            new TypeCommand(),
            new ModeCommand(),
            new StruCommand(),
            new PwdCommand(),
            new CwdCommand(),
            new CdupCommand(),
            new MkdCommand(),
            new RmdCommand(),
            new DeleCommand(),
            new RnfrCommand(),
            new RntoCommand(),
            new MfmtCommand(),
            new PasvCommand(),
            new EpsvCommand(),
            new PortCommand(),
            new EprtCommand(),
            new RetrCommand(),
            new StorCommand(),
            new AppeCommand(),
            new RestCommand(),
            new RangCommand(),
            new CksmCommand(),
            new HashCommand(),
            new XHashCommand("XCRC", ChecksumAlgorithm.CRC32),
            new XHashCommand("XMD5", ChecksumAlgorithm.MD5),
            new XHashCommand("XSHA1", ChecksumAlgorithm.SHA1),
            new XHashCommand("XSHA256", ChecksumAlgorithm.SHA256),
            new XHashCommand("XSHA512", ChecksumAlgorithm.SHA512),
            new AlloCommand(),
            new SizeCommand(),
            new MdtmCommand(),
            new MlstCommand(),
            new MlsdCommand(),
            new NlstCommand(),
            new ListCommand(),
            new SbufCommand(),
            new SiteCommand(),
            new SpasCommand(),
            new SporCommand(),
            new EstoCommand(),
            new EretCommand(),
            new DcauCommand(),
            new StouCommand(),
            new StatCommand(),
            new AcctCommand(),
            new LangCommand(),
            new AborCommand());

    /** Verbs of the RFCs and of GridFTP that are answered 502. */
    private static final List<String> NOT_OFFERED = List.of("CONF", "ENC", "MIC", "SMNT");

    private FtpCommands() {}

    /** The table for a server. */
    public static CommandTable table() {
        return new CommandTable(OFFERED, NOT_OFFERED);
    }
}
