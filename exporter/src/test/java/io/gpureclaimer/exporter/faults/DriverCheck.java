package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.ActualNode.CountersCondition;
import io.gpureclaimer.exporter.faults.ActualNode.DriverCondition;
import io.gpureclaimer.exporter.faults.ActualNode.GpuCondition;
import java.util.HashSet;

/** Checks what is reported about driver, GPUs and MIG instances. */
final class DriverCheck {
  private final CheckFindings findings;

  DriverCheck(CheckFindings findings) {
    this.findings = findings;
  }

  void see(AgentOutput look) {
    seeDriver(look);
    seeRemoved(look);
    seePower(look);
    seeWork(look);
    seeCounters(look);
  }

  private void seeDriver(AgentOutput look) {
    double up = only(look, "gpu_exporter_driver_up");
    findings.saw(up == 1 ? "the driver is up" : "the driver is down");
    if (up == 1) {
      findings.require(
          look,
          look.may(world -> world.driver() == DriverCondition.LOADED, AgentOutput.OLDEST),
          "the driver is up");
    } else {
      findings.require(
          look,
          look.may(world -> world.driver() != DriverCondition.LOADED, AgentOutput.SETTLED),
          "the driver is down");
    }
    for (var sample : look.of("gpu_exporter_gpu_up")) {
      if ("unknown".equals(sample.series().labels().get("UUID"))) {
        continue;
      }
      int gpu = AgentOutput.device(sample);
      boolean answers = AgentOutput.value(sample) == 1;
      findings.saw(answers ? "a GPU is up" : "a GPU is down");
      findings.require(
          look,
          answers
              ? look.may(world -> world.mayAnswer(gpu), AgentOutput.OLDEST)
              : look.may(world -> !world.answers(gpu), AgentOutput.SETTLED),
          "gpu_up of " + gpu + " is " + answers);
    }
  }

  /** Nothing is said of what is no longer there, but how often it was ill. */
  private void seeRemoved(AgentOutput look) {
    for (int gpu = 0; gpu < ActualNode.GPUS; gpu++) {
      int which = gpu;
      if (look.surely(world -> !world.has(which))) {
        for (var sample : look.samples()) {
          findings.require(
              look,
              !FaultyNodeSimulation.uuid(gpu).equals(sample.series().labels().get("UUID"))
                  || sample.series().name().contains("xid")
                  || sample.series().name().startsWith("gpu_device_plugin_"),
              gpu + " is removed, and there is " + sample);
        }
      }
    }
  }

  /** A value is one that the GPU had a moment ago, and it is there if it can be. */
  private void seePower(AgentOutput look) {
    var reported = new HashSet<Integer>();
    for (var sample : look.of("DCGM_FI_DEV_POWER_USAGE")) {
      int gpu = AgentOutput.device(sample);
      reported.add(gpu);
      double watts = AgentOutput.value(sample);
      findings.require(
          look,
          look.may(
              world ->
                  world.mayAnswer(gpu)
                      && world.cards().get(gpu).fault() != GpuCondition.NO_POWER
                      && world.cards().get(gpu).milliwatts() / 1000.0 == watts,
              AgentOutput.OLDEST),
          "power of " + gpu + " is " + watts);
      findings.require(
          look,
          !look.surely(world -> world.counters() == CountersCondition.WITHOUT_POWER),
          "power is served");
    }
    for (int gpu = 0; gpu < ActualNode.GPUS; gpu++) {
      int which = gpu;
      findings.require(
          look,
          reported.contains(gpu)
              || !look.mustShow(
                  gpu,
                  world ->
                      world.reportsPower(which)
                          && !world.hangs()
                          && world.counters() == CountersCondition.WITH_POWER),
          "power of " + gpu + " is missing");
    }
  }

  private void seeWork(AgentOutput look) {
    var reported = new HashSet<Integer>();
    for (var sample : look.work()) {
      int device = AgentOutput.device(sample);
      reported.add(device);
      double percent =
          ActualNode.isPart(device) ? 100 * AgentOutput.value(sample) : AgentOutput.value(sample);
      findings.require(
          look,
          look.may(
              world ->
                  world.mayReportWork(device) && world.cards().get(device).percent() == percent,
              AgentOutput.OLDEST),
          "work of " + device + " is " + percent);
    }
    for (int each = 0; each < look.history().last().cards().size(); each++) {
      int device = each;
      findings.require(
          look,
          reported.contains(device)
              || !look.mustShow(device, world -> world.mustReportWork(device)),
          "work of " + device + " is missing");
    }
  }

  private void seeCounters(AgentOutput look) {
    boolean good = only(look, "gpu_exporter_config_last_reload_successful") == 1;
    findings.saw(good ? "the counters file is good" : "the counters file is broken");
    findings.require(
        look,
        look.may(
            world -> (world.counters() != CountersCondition.BROKEN) == good, AgentOutput.SETTLED),
        "the counters file is " + (good ? "good" : "broken"));
  }

  private double only(AgentOutput look, String name) {
    var found = look.of(name);
    findings.require(look, found.size() == 1, name + " is there once");
    return found.isEmpty() ? Double.NaN : AgentOutput.value(found.getFirst());
  }
}
