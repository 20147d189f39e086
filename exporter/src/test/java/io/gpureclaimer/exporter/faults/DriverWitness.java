package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.World.Counters;
import io.gpureclaimer.exporter.faults.World.Driver;
import io.gpureclaimer.exporter.faults.World.Fault;
import java.util.HashSet;

/** Looks at what is said of driver, GPUs and their parts. */
final class DriverWitness {
  private final Findings findings;

  DriverWitness(Findings findings) {
    this.findings = findings;
  }

  void see(Look look) {
    seeDriver(look);
    seeRemoved(look);
    seePower(look);
    seeWork(look);
    seeCounters(look);
  }

  private void seeDriver(Look look) {
    double up = only(look, "gpu_exporter_driver_up");
    findings.saw(up == 1 ? "the driver is up" : "the driver is down");
    if (up == 1) {
      findings.require(
          look,
          look.may(world -> world.driver() == Driver.LOADED, Look.OLDEST),
          "the driver is up");
    } else {
      findings.require(
          look,
          look.may(world -> world.driver() != Driver.LOADED, Look.SETTLED),
          "the driver is down");
    }
    for (var sample : look.of("gpu_exporter_gpu_up")) {
      if ("unknown".equals(sample.series().labels().get("UUID"))) {
        continue;
      }
      int gpu = Look.device(sample);
      boolean answers = Look.value(sample) == 1;
      findings.saw(answers ? "a GPU is up" : "a GPU is down");
      findings.require(
          look,
          answers
              ? look.may(world -> world.mayAnswer(gpu), Look.OLDEST)
              : look.may(world -> !world.answers(gpu), Look.SETTLED),
          "gpu_up of " + gpu + " is " + answers);
    }
  }

  /** Nothing is said of what is no longer there, but how often it was ill. */
  private void seeRemoved(Look look) {
    for (int gpu = 0; gpu < World.GPUS; gpu++) {
      int which = gpu;
      if (look.surely(world -> !world.has(which))) {
        for (var sample : look.samples()) {
          findings.require(
              look,
              !Node.uuid(gpu).equals(sample.series().labels().get("UUID"))
                  || sample.series().name().contains("xid")
                  || sample.series().name().startsWith("gpu_device_plugin_"),
              gpu + " is removed, and there is " + sample);
        }
      }
    }
  }

  /** A value is one that the GPU had a moment ago, and it is there if it can be. */
  private void seePower(Look look) {
    var told = new HashSet<Integer>();
    for (var sample : look.of("DCGM_FI_DEV_POWER_USAGE")) {
      int gpu = Look.device(sample);
      told.add(gpu);
      double watts = Look.value(sample);
      findings.require(
          look,
          look.may(
              world ->
                  world.mayAnswer(gpu)
                      && world.cards().get(gpu).fault() != Fault.NO_POWER
                      && world.cards().get(gpu).milliwatts() / 1000.0 == watts,
              Look.OLDEST),
          "power of " + gpu + " is " + watts);
      findings.require(
          look,
          !look.surely(world -> world.counters() == Counters.WITHOUT_POWER),
          "power is served");
    }
    for (int gpu = 0; gpu < World.GPUS; gpu++) {
      int which = gpu;
      findings.require(
          look,
          told.contains(gpu)
              || !look.surely(
                  world ->
                      world.tellsPower(which)
                          && !world.hangs()
                          && world.counters() == Counters.WITH_POWER),
          "power of " + gpu + " is missing");
    }
  }

  private void seeWork(Look look) {
    var told = new HashSet<Integer>();
    for (var sample : look.work()) {
      int device = Look.device(sample);
      told.add(device);
      double percent = World.isPart(device) ? 100 * Look.value(sample) : Look.value(sample);
      findings.require(
          look,
          look.may(
              world -> world.mayTellWork(device) && world.cards().get(device).percent() == percent,
              Look.OLDEST),
          "work of " + device + " is " + percent);
    }
    for (int each = 0; each < look.history().last().cards().size(); each++) {
      int device = each;
      findings.require(
          look,
          told.contains(device) || !look.surely(device, world -> world.mustTellWork(device)),
          "work of " + device + " is missing");
    }
  }

  private void seeCounters(Look look) {
    boolean good = only(look, "gpu_exporter_config_last_reload_successful") == 1;
    findings.saw(good ? "the counters file is good" : "the counters file is broken");
    findings.require(
        look,
        look.may(world -> (world.counters() != Counters.BROKEN) == good, Look.SETTLED),
        "the counters file is " + (good ? "good" : "broken"));
  }

  private double only(Look look, String name) {
    var found = look.of(name);
    findings.require(look, found.size() == 1, name + " is there once");
    return found.isEmpty() ? Double.NaN : Look.value(found.getFirst());
  }
}
