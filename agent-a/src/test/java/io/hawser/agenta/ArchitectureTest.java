package io.hawser.agenta;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;
import java.net.InetAddress;

/** The dependency rule, as far as it concerns agent-a. */
@AnalyzeClasses(packages = "io.hawser", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule nothingIsDecompressed = ModuleRules.nothingIsDecompressed("io.hawser.agenta..");

    @ArchTest
    static final ArchRule nettysHttpIsTheHttpServers = ModuleRules.nettysHttpIsTheHttpServers();

    @ArchTest
    static final ArchRule agentImportsNeitherBrokerNorTheOtherAgent = noClasses()
            .that()
            .resideInAPackage("io.hawser.agenta..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.hawser.broker..", "io.hawser.agentb..");

    @ArchTest
    static final ArchRule packagesOfTheAgentHaveNoCycles =
            slices().matching("io.hawser.agenta.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule whatFrontsShareKnowsNoFront = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.hawser.agenta.upload..",
                    "io.hawser.agenta.download..",
                    "io.hawser.agenta.namespace..",
                    "io.hawser.agenta.account..",
                    "io.hawser.agenta.custody..",
                    "io.hawser.agenta.front..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.hawser.agenta.ftp..", "io.hawser.agenta.http..", "io.hawser.agenta.sftp..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.hawser.core.ftp.ReplyCode");

    @ArchTest
    static final ArchRule frontsDoNotKnowFtp = noClasses()
            .that()
            .resideInAnyPackage("io.hawser.agenta.http..", "io.hawser.agenta.sftp..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.hawser.agenta.ftp..");

    /** MINA's threads and buffers end where a session begins. */
    @ArchTest
    static final ArchRule sessionsOfSftpKnowNothingOfSsh = noClasses()
            .that()
            .resideInAnyPackage("io.hawser.agenta.sftp.session..", "io.hawser.agenta.sftp.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.sshd..");

    @ArchTest
    static final ArchRule commandsKnowNothingOfNetty = noClasses()
            .that()
            .resideInAPackage("io.hawser.agenta.ftp.command")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule filesAreOpenedInTheStorageOnly = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.hawser.agenta.ftp..",
                    "io.hawser.agenta.http..",
                    "io.hawser.agenta.sftp.session..",
                    "io.hawser.agenta.sftp.wire..",
                    "io.hawser.agenta.upload..",
                    "io.hawser.agenta.download..",
                    "io.hawser.agenta.namespace..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.nio.channels..");

    /** Addresses are values: parsing one touches no socket. */
    @ArchTest
    static final ArchRule ftpCodecsTouchNoSockets = noClasses()
            .that()
            .resideInAPackage("io.hawser.core.ftp")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.netty.channel..", "java.net..", "java.nio.file..", "java.nio.channels..")
                            .and(not(assignableTo(InetAddress.class))));
}
