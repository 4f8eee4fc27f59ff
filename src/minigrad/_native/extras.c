/* Extra: the label, the hooks and the rule that few nodes have.

   The attributes are those of `_Extra` in scalar.py: label, rule, hooks.  The node of an extra with
   a rule or hooks is tracked by the cyclic collector, because a function often refers to the node
   that it belongs to; and such extras are counted, so that a pass knows whether it has to look for
   them at all. */

#include "value.h"

PyTypeObject *ExtraType;
Py_ssize_t specials = 0;

Extra *extra_of(Value *v)
{
    if (v->extra == NULL) {
        Extra *extra = PyObject_GC_New(Extra, ExtraType);
        if (extra == NULL)
            return NULL;
        extra->label = extra->rule = extra->hooks = extra->op = extra->grad = NULL;
        extra->owner = NULL;
        extra->special = 0;
        PyObject_GC_Track(extra);
        if (v->extra != NULL) { /* the allocation collected, and Python code was first */
            Py_DECREF(extra);
            return v->extra;
        }
        extra->owner = v;
        v->extra = extra;
    }
    return v->extra;
}

void extra_forget(Value *v)
{
    Extra *extra = v->extra;
    v->extra = NULL;
    if (v->flags & STRANGE) {
        v->flags &= (uint16_t)~STRANGE;
        v->grad = 0.0;
    }
    if (extra->owner == v)
        extra->owner = NULL;
    Py_DECREF(extra);
}

static inline int is_set(const PyObject *x) { return x != NULL && x != Py_None; }

int extra_is_special(const Extra *extra)
{
    return is_set(extra->rule) || extra->grad != NULL
           || (is_set(extra->hooks) && (!PyDict_Check(extra->hooks) || PyDict_GET_SIZE(extra->hooks) > 0));
}

void extra_changed(Extra *extra)
{
    char special = is_set(extra->rule) || is_set(extra->hooks) || extra->grad != NULL;
    specials += special - extra->special;
    extra->special = special;
    int in_cycle = is_set(extra->rule) || is_set(extra->hooks)
                   || (extra->grad != NULL && PyObject_IS_GC(extra->grad))
                   || (extra->label != NULL && !PyUnicode_CheckExact(extra->label))
                   || (extra->op != NULL && !PyUnicode_CheckExact(extra->op));
    if (in_cycle && extra->owner != NULL)
        node_track_late(extra->owner);
}

/* ---- the type -------------------------------------------------------------------------------- */

static PyObject *extra_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(names))
{
    return type->tp_alloc(type, 0); /* all NULL and zero */
}

static int extra_traverse(PyObject *self, visitproc visit, void *arg)
{
    Extra *extra = (Extra *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(extra->label);
    Py_VISIT(extra->rule);
    Py_VISIT(extra->hooks);
    Py_VISIT(extra->op);
    Py_VISIT(extra->grad);
    return 0;
}

static int extra_clear(PyObject *self)
{
    Extra *extra = (Extra *)self;
    Py_CLEAR(extra->label);
    Py_CLEAR(extra->rule);
    Py_CLEAR(extra->hooks);
    Py_CLEAR(extra->op);
    Py_CLEAR(extra->grad);
    return 0;
}

static void extra_dealloc(PyObject *self)
{
    Extra *extra = (Extra *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    specials -= extra->special;
    extra_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *get_label(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *label = ((Extra *)self)->label;
    return label != NULL ? Py_NewRef(label) : PyUnicode_FromString("");
}

static int set_label(PyObject *self, PyObject *label, void *Py_UNUSED(closure))
{
    PyObject *old = ((Extra *)self)->label;
    ((Extra *)self)->label = Py_XNewRef(label);
    extra_changed((Extra *)self);
    Py_XDECREF(old);
    return 0;
}

static PyObject *get_rule(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *rule = ((Extra *)self)->rule;
    return Py_NewRef(rule != NULL ? rule : Py_None);
}

static int set_rule(PyObject *self, PyObject *rule, void *Py_UNUSED(closure))
{
    PyObject *old = ((Extra *)self)->rule;
    ((Extra *)self)->rule = Py_XNewRef(rule);
    extra_changed((Extra *)self);
    Py_XDECREF(old);
    return 0;
}

static PyObject *get_hooks(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *hooks = ((Extra *)self)->hooks;
    return Py_NewRef(hooks != NULL ? hooks : Py_None);
}

static int set_hooks(PyObject *self, PyObject *hooks, void *Py_UNUSED(closure))
{
    PyObject *old = ((Extra *)self)->hooks;
    ((Extra *)self)->hooks = Py_XNewRef(hooks);
    extra_changed((Extra *)self);
    Py_XDECREF(old);
    return 0;
}

static PyGetSetDef extra_attributes[] = {
    {"label", get_label, set_label, NULL, NULL},
    {"rule", get_rule, set_rule, NULL, NULL},
    {"hooks", get_hooks, set_hooks, NULL, NULL},
    {0},
};

static PyType_Slot extra_slots[] = {
    {Py_tp_new, extra_new},     {Py_tp_dealloc, extra_dealloc},   {Py_tp_traverse, extra_traverse},
    {Py_tp_clear, extra_clear}, {Py_tp_getset, extra_attributes}, {0, NULL},
};

static PyType_Spec extra_spec = {
    .name = "minigrad._native.engine.Extra",
    .basicsize = sizeof(Extra),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = extra_slots,
};

int extras_ready(PyObject *module)
{
    ExtraType = (PyTypeObject *)PyType_FromModuleAndSpec(module, &extra_spec, NULL);
    return ExtraType == NULL || PyModule_AddObjectRef(module, "Extra", (PyObject *)ExtraType) < 0 ? -1 : 0;
}
