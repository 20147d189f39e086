package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.allocation.Offer;
import io.gpureclaimer.core.allocation.OfferedResource;
import io.gpureclaimer.core.allocation.Portion;
import io.gpureclaimer.core.allocation.Sharing;
import io.gpureclaimer.core.config.PluginSettings;
import io.gpureclaimer.core.inventory.GpuFacts;
import io.gpureclaimer.core.inventory.Inventory;
import io.gpureclaimer.core.mps.ComputeModes;
import io.gpureclaimer.core.mps.MpsRules;
import io.gpureclaimer.core.mps.MpsSettings;
import io.gpureclaimer.core.mps.MpsShare;
import io.gpureclaimer.core.mps.MpsState;
import io.gpureclaimer.core.mps.MpsSupervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps MPS daemons for the resources that are shared through them, and tells which of those cannot
 * be given to anybody now. Confined to one thread.
 */
final class SharedByMps implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Path OWN_SHARED_MEMORY = Path.of("/dev/shm");

  private final String program;
  private final ComputeModes modes;
  private final InstantSource clock;
  private final Map<String, String> impossible = new LinkedHashMap<>();
  private @Nullable MpsSupervisor supervisor;
  private @Nullable Path root;

  SharedByMps(String program, ComputeModes modes, InstantSource clock) {
    this.program = program;
    this.modes = modes;
    this.clock = clock;
  }

  /** Looks after the daemons that this offer needs. */
  void keep(Offer offer, Inventory inventory, PluginSettings settings) {
    Path wanted = settings.allocation().response().mpsRoot();
    if (wanted == null || !wanted.equals(root)) {
      close();
    }
    if (wanted == null) {
      return;
    }
    if (supervisor == null) {
      supervisor =
          new MpsSupervisor(
              new MpsSettings(program, wanted, OWN_SHARED_MEMORY, DEADLINE), modes, clock);
      root = wanted;
    }
    supervisor.share(shares(offer, inventory));
    supervisor.look();
  }

  /**
   * Why nobody may be given a device of the resource now; empty if MPS is not what stands there.
   */
  Optional<String> obstacle(OfferedResource resource) {
    if (!isShared(resource)) {
      return Optional.empty();
    }
    String name = resource.name().value();
    String never = impossible.get(name);
    if (never != null) {
      return Optional.of(never);
    }
    MpsState state = supervisor == null ? null : supervisor.states().get(name);
    return switch (state) {
      case null -> Optional.of("the MPS daemon of " + name + " was not started yet");
      case MpsState.Ready _ -> Optional.empty();
      case MpsState.Down(var reason, _) -> Optional.of(reason);
    };
  }

  private List<MpsShare> shares(Offer offer, Inventory inventory) {
    Map<String, GpuFacts> facts =
        inventory.readable().collect(Collectors.toMap(gpu -> gpu.gpu().uuid().value(), gpu -> gpu));
    impossible.clear();
    var shares = new ArrayList<MpsShare>();
    for (OfferedResource resource : offer.resources().values()) {
      if (isShared(resource)) {
        var replicas = new LinkedHashMap<GpuFacts, Integer>();
        resource.portions().stream()
            .filter(portion -> facts.containsKey(portion.device().gpu().value()))
            .forEach(
                portion ->
                    replicas.put(facts.get(portion.device().gpu().value()), portion.replicas()));
        switch (MpsRules.judge(resource.name().value(), replicas)) {
          case MpsRules.Verdict.Possible(var share) -> shares.add(share);
          case MpsRules.Verdict.Impossible(var reason) ->
              impossible.put(resource.name().value(), reason);
        }
      }
    }
    return shares;
  }

  private static boolean isShared(OfferedResource resource) {
    return resource.portions().stream().map(Portion::sharing).anyMatch(Sharing.Kind.MPS::equals);
  }

  /** Ends the daemons; GPUs are what they were before. */
  @Override
  public void close() {
    if (supervisor != null) {
      supervisor.close();
      supervisor = null;
      root = null;
    }
  }
}
