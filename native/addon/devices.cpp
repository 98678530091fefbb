// devices(), setThreads(n) and allocatedBytes().
#include <fstream>
#include <string>

#include <unistd.h>

#include "addon/functions.hpp"
#include "device/allocated.hpp"
#include "device/cpu_features.hpp"
#include "device/thread_pool.hpp"

namespace cuzk::addon {

namespace {

// As /proc/cpuinfo names it.
std::string cpu_name() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        const size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "CPU";
}

Napi::Value devices(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
        Napi::Env env = info.Env();
        Napi::Object cpu = Napi::Object::New(env);
        cpu.Set("id", "cpu");
        cpu.Set("name", cpu_name());
        cpu.Set("isa", name_of(chosen_isa()));
        cpu.Set("threads", static_cast<double>(environment::of(env).pool.threads()));
        cpu.Set("usesHostThreads", true);
        cpu.Set("memoryBytes", static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)));
        Napi::Array all = Napi::Array::New(env);
        all.Set(0u, cpu);
        return all.As<Napi::Value>();
    });
}

Napi::Value set_threads(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
        const double n = info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : -1;
        if (!(n >= 0 && n <= 1024) || n != static_cast<double>(static_cast<size_t>(n)))
            throw Napi::RangeError::New(info.Env(), "the number of threads must be an integer from 0 (one per core) to 1024");
        environment::of(info.Env()).pool.set_threads(static_cast<size_t>(n));
        return info.Env().Undefined();
    });
}

Napi::Value allocated_bytes(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), static_cast<double>(allocated::now()));
}

}  // namespace

void define_devices(Napi::Env env, Napi::Object exports) {
    exports.Set("devices", Napi::Function::New(env, devices, "devices"));
    exports.Set("allocatedBytes", Napi::Function::New(env, allocated_bytes, "allocatedBytes"));
    exports.Set("setThreads", Napi::Function::New(env, set_threads, "setThreads"));
}

}  // namespace cuzk::addon
