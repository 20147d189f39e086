package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.common.vocabulary.CdiNames;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiJson;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiSpec;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the CDI specifications of a node up to date with its devices and driver files; writes only
 * changes. Confined to one thread.
 */
public final class CdiPublisher {
  private static final Logger log = LoggerFactory.getLogger(CdiPublisher.class);

  private final CdiSettings settings;
  private final CdiFolder folder;
  private final ForeignSpecifications others;
  private final GpuSpecification gpus;
  private final AccessoryDevices accessories;
  private List<String> reported = List.of();

  /**
   * @param settings how specifications are made
   * @param folder where they go; {@code /var/run/cdi}
   * @param folders those that runtimes read, the weakest first; {@code /etc/cdi} and ours
   */
  public CdiPublisher(CdiSettings settings, Path folder, List<Path> folders) {
    this(settings, new CdiFolder(folder), new ForeignSpecifications(folder, folders));
  }

  CdiPublisher(CdiSettings settings, CdiFolder folder, ForeignSpecifications others) {
    this.settings = settings;
    this.folder = folder;
    this.others = others;
    this.gpus = new GpuSpecification(settings);
    this.accessories =
        new AccessoryDevices(
            settings,
            new DeviceFiles(settings.devices()),
            new RootedFiles(settings.driver().here()));
  }

  /** Brings the files up to date; what fails is tried again the next time. */
  public CdiReport publish(NodeInventory inventory) {
    var pass = new PublishPass();
    try {
      switch (gpus.make(inventory, pass.problems)) {
        case GpuSpecification.SpecificationResult.Spec(var spec) -> {
          pass.put(spec);
          accessories(pass);
        }
        case GpuSpecification.SpecificationResult.Nothing() -> {
          CdiKind kind = settings.kind(CdiNames.GPU_CLASS);
          pass.ended(kind, folder.remove(kind));
          accessories(pass);
        }
        case GpuSpecification.SpecificationResult.Unknown() -> {
          pass.leave(settings.kind(CdiNames.GPU_CLASS));
          accessories.all().forEach(pass::put);
        }
      }
    } catch (UncheckedIOException e) {
      pass.problems.add("a folder of the driver or of devices cannot be read: " + e.getCause());
      kinds().filter(kind -> Files.exists(folder.file(kind))).forEach(pass::leave);
    }
    CdiReport report = pass.report();
    logProblems(report);
    return report;
  }

  /** A name whose device files are gone would keep a container from starting. */
  private void accessories(PublishPass pass) {
    List<CdiSpec> there = accessories.all();
    there.forEach(pass::put);
    Set<CdiKind> kinds = there.stream().map(CdiSpec::kind).collect(Collectors.toSet());
    AccessoryDevices.classes().stream()
        .map(settings::kind)
        .filter(kind -> !kinds.contains(kind))
        .forEach(pass::withdraw);
  }

  private Stream<CdiKind> kinds() {
    return Stream.concat(Stream.of(CdiNames.GPU_CLASS), AccessoryDevices.classes().stream())
        .map(settings::kind);
  }

  private void logProblems(CdiReport report) {
    report
        .files()
        .forEach(
            (file, outcome) -> {
              switch (outcome) {
                case CdiOutcome.Written(var cause) ->
                    log.info("wrote CDI specification {} ({})", file, cause);
                case CdiOutcome.Removed() -> log.info("removed CDI specification {}", file);
                case CdiOutcome.Unchanged(),
                    CdiOutcome.Kept(),
                    CdiOutcome.Failed _,
                    CdiOutcome.FolderDeleted _ -> {}
              }
            });
    report.problems().stream()
        .filter(problem -> !reported.contains(problem))
        .forEach(problem -> log.warn("CDI: {}", problem));
    reported = report.problems();
  }

  /** One check of all specifications. */
  private final class PublishPass {
    private final Map<Path, CdiOutcome> files = new LinkedHashMap<>();
    private final List<String> devices = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    void put(CdiSpec spec) {
      CdiKind kind = spec.kind();
      CdiOutcome outcome = folder.put(kind, CdiJson.of(spec));
      ended(kind, outcome);
      offered(
          kind,
          switch (outcome) {
            case CdiOutcome.Failed _, CdiOutcome.FolderDeleted _ -> inForce(kind);
            case CdiOutcome.Written _,
                CdiOutcome.Unchanged(),
                CdiOutcome.Removed(),
                CdiOutcome.Kept() ->
                spec.names();
          });
      problems.addAll(others.conflicts(spec, folder.file(kind)));
    }

    /** What is unknown stays as it is. */
    void leave(CdiKind kind) {
      if (!files.containsKey(folder.file(kind))) {
        ended(kind, new CdiOutcome.Kept());
        offered(kind, inForce(kind));
      }
    }

    /** Of what a node usually does not have, nothing is said. */
    void withdraw(CdiKind kind) {
      if (Files.exists(folder.file(kind))) {
        ended(kind, folder.remove(kind));
      }
    }

    private void offered(CdiKind kind, List<String> names) {
      names.forEach(name -> devices.add(kind.qualified(name)));
    }

    private List<String> inForce(CdiKind kind) {
      return others.names(folder.file(kind), kind);
    }

    void ended(CdiKind kind, CdiOutcome outcome) {
      files.put(folder.file(kind), outcome);
      switch (outcome) {
        case CdiOutcome.Failed(var reason) -> problems.add(reason);
        case CdiOutcome.FolderDeleted(var reason) -> {
          if (!problems.contains(reason)) {
            problems.add(reason);
          }
        }
        case CdiOutcome.Written(var cause) when cause == CdiOutcome.Cause.OVERWRITTEN ->
            problems.add(
                folder.file(kind)
                    + " had been changed by another program; is another device plugin running on"
                    + " this node?");
        case CdiOutcome.Written(var cause) when cause == CdiOutcome.Cause.VANISHED ->
            problems.add(
                folder.file(kind)
                    + " had been deleted by another program, and is there again; "
                    + "containers that were"
                    + " started meanwhile have failed");
        case CdiOutcome.Written _,
            CdiOutcome.Unchanged _,
            CdiOutcome.Removed _,
            CdiOutcome.Kept _ -> {}
      }
    }

    CdiReport report() {
      return new CdiReport(files, devices, problems);
    }
  }
}
