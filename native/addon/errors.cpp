#include "addon/errors.hpp"

#include <new>
#include <string>

#include "device/error.hpp"

namespace cuzk::addon {

namespace {

Napi::Error coded(Napi::Env env, const std::string& code, const std::string& message, const std::string& remedy) {
    Napi::Error e = Napi::Error::New(env, message);
    e.Set("code", Napi::String::New(env, code));
    if (!remedy.empty()) e.Set("remedy", Napi::String::New(env, remedy));
    return e;
}

}  // namespace

Napi::Error to_javascript(Napi::Env env, const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const error& e) {
        Napi::Error out = coded(env, e.code(), e.message(), e.remedy());
        if (!e.file().empty()) out.Set("file", Napi::String::New(env, e.file()));
        if (e.has_offset()) out.Set("offset", Napi::Number::New(env, static_cast<double>(e.offset())));
        return out;
    } catch (const aborted&) {
        return coded(env, "Aborted", "stopped before the end", "");
    } catch (const std::bad_alloc&) {
        return coded(env, "OutOfMemory", "not enough memory", "close other programs, or use a machine with more memory");
    } catch (const std::exception& e) {
        return coded(env, "Internal", e.what(), "this is a fault of the program: please report it");
    } catch (...) {
        return coded(env, "Internal", "an unknown failure", "this is a fault of the program: please report it");
    }
}

}  // namespace cuzk::addon
