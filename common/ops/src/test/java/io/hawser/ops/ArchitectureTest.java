package io.hawser.ops;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hawser.ptcp.testkit.ModuleRules;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser.ops", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule NOTHING_IS_DECOMPRESSED = ModuleRules.nothingIsDecompressed("io.hawser.ops..");

    @ArchTest
    static final ArchRule NETTYS_HTTP_IS_THE_HTTP_SERVERS = ModuleRules.nettysHttpIsTheHttpServers();

    @ArchTest
    static final ArchRule SOCKETS_ARE_THE_HTTP_SERVERS = noClasses()
            .that()
            .resideOutsideOfPackage("io.hawser.ops.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "io.netty.bootstrap..");

    @ArchTest
    static final ArchRule THE_HTTP_SERVER_KNOWS_NOTHING_ELSE_OF_NODES = noClasses()
            .that()
            .resideInAPackage("io.hawser.ops.http..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.hawser.ops..", "io.hawser.store..", "io.hawser.core..")
                    .and(resideOutsideOfPackage("io.hawser.ops.http..")));

    @ArchTest
    static final ArchRule SQL_IS_THE_HISTORYS = noClasses()
            .that()
            .resideOutsideOfPackage("io.hawser.ops.event..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "org.h2..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.hawser.ops.(*)..").should().beFreeOfCycles();
}
