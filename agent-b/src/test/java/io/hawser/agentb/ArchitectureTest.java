package io.hawser.agentb;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser.agentb", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.agentb..");

    @ArchTest
    static final ArchRule NETTYS_HTTP_IS_THE_HTTP_SERVERS = ModuleRules.nettysHttpIsTheHttpServers();

    @ArchTest
    static final ArchRule AGENT_B_KNOWS_NO_OTHER_NODE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.hawser.broker..", "io.hawser.agenta..", "io.hawser.it..");

    @ArchTest
    static final ArchRule DISKS_ARE_COMMONS = noClasses()
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, FileChannel.class)
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.bootstrap..");

    @ArchTest
    static final ArchRule ONLY_THE_CLIENTS_OF_FAR_SERVERS_DIAL = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.hawser.agentb.deliver..", "io.hawser.agentb.serve..", "io.hawser.agentb.blocks..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "org.apache.commons.net..");
}
